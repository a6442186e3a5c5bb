// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockVerdict.generated.h"

/** How strongly the server suspects a player's clock. */
UENUM(BlueprintType)
enum class ENetClockSuspicion : uint8
{
	/** The server has heard too little. */
	Unknown,
	/** Delay and ordinary crystals explain everything. */
	Plausible,
	/** Only a very unusual path would explain it. Look closer, do not punish. */
	Likely,
	/** No delay explains it. The clock ran at another rate, or was set. */
	Proven
};

/** What the server found about a player's clock. */
UENUM(BlueprintType)
enum class ENetClockFinding : uint8
{
	None,
	/** It ran fast. */
	Fast,
	/** It ran slow. */
	Slow,
	/** It jumped ahead. */
	Added,
	/** It fell back, or stood still. A machine that slept does that too. */
	Removed
};

/** The server's verdict about a player's clock, with the evidence. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockVerdict
{
	GENERATED_BODY()

	/** Suspicion by the last minute. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Level = ENetClockSuspicion::Unknown;

	/** The highest suspicion so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Worst = ENetClockSuspicion::Unknown;

	/** The newest finding. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockFinding Finding = ENetClockFinding::None;

	/** Number of findings so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Findings = 0;

	/** Newest finding: how much the player's clock gained beyond what crystals explain, in ms. Negative: it
	 * lost. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double GainedMs = 0.0;

	/** Newest finding: how long it took, in seconds. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double DurationSeconds = 0.0;

	/** True if RatePpm and RateErrorPpm are known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsRateKnown = false;

	/** Mean rate of the player's clock relative to the server's, in ppm. Positive: the player's runs fast. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RatePpm = 0.0;

	/** Error bound of RatePpm, in ppm. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RateErrorPpm = 0.0;
};
