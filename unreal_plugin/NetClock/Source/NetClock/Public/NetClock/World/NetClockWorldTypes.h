// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClockWorldTypes.generated.h"

/** A clock of the server's world that does not follow real time. */
UENUM(BlueprintType)
enum class ENetClockWorldClock : uint8
{
	/** The world time that GetServerWorldTimeSeconds() returns: dilated, and stopped while the game is
	 * paused. */
	World,
	/** Dilated, but runs while the game is paused. */
	Unpaused,
	/** Not dilated, but stopped while the game is paused. */
	Audio
};

/** The reading of one clock of the server's world in one frame. All values are from the same reading. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockWorldReading
{
	GENERATED_BODY()

	/** False until this machine is synced and knows the server's world. Ignore the other values while it is
	 * false. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsKnown = false;

	/** The time of the clock, in seconds. It never goes backwards while Epoch stays the same. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Seconds = 0.0;

	/** World seconds per real second, as far as this machine knows. Zero while the clock is stopped. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Rate = 0.0;

	/** The error bound, in ms of this clock. It covers a pause or a dilation that has just begun on the
	 * server and has not been reported to this machine yet. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The error bound, in ms of this clock, assuming that the server has not paused or dilated its world
	 * since its last message. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundIfUnchangedMs = NetClock::UnknownMs;

	/** Counts the discontinuities of this clock, such as a new world, a new server, or a clock that was
	 * set. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** How far the clock jumped in this frame, in ms. Positive if it jumped forwards. Slewed corrections do
	 * not count. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double JumpMs = 0.0;
};
