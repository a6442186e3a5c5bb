// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockDatagram.generated.h"

/** One of the library's datagrams of 32 bytes, as arguments of a call. Each number holds eight bytes, the
 * highest first. */
USTRUCT()
struct NETCLOCK_API FNetClockDatagram
{
	GENERATED_BODY()

	UPROPERTY()
	int64 First = 0;

	UPROPERTY()
	int64 Second = 0;

	UPROPERTY()
	int64 Third = 0;

	UPROPERTY()
	int64 Fourth = 0;
};
