// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockUtcTypes.generated.h"

/** The server's claim: UTC is ZeroTicks plus the server's time. The server replicates it, and again when it
 * changes. */
USTRUCT()
struct NETCLOCK_API FNetClockUtcClaim
{
	GENERATED_BODY()

	/** Identifies the run of the server's clock. Zero: the server has claimed nothing yet. */
	UPROPERTY()
	int64 Epoch = 0;

	/** Number of the claim in this run. The first is one. */
	UPROPERTY()
	int32 Version = 0;

	/** UTC when the server's clock reads zero, in ticks of 100 ns since 1970. */
	UPROPERTY()
	int64 ZeroTicks = 0;

	/** When the server read both clocks, in ticks of its time. */
	UPROPERTY()
	int64 ReadTicks = 0;

	/** How far UTC may be off then, in ticks. The largest number: nobody states it. */
	UPROPERTY()
	int64 BoundTicks = 0;

	/** How fast the server's clock may run away from UTC, in ppm. */
	UPROPERTY()
	int32 DriftPpm = 0;
};
