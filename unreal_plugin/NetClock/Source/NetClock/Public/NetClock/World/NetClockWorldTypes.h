// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClockWorldTypes.generated.h"

/** A clock of the server's world that does not follow real time. */
UENUM(BlueprintType)
enum class ENetClockWorldClock : uint8
{
	/** The world time: dilated, and stopped while the game is paused. GetServerWorldTimeSeconds() returns
	 * it. */
	World,
	/** Dilated, but runs while the game is paused. */
	Unpaused,
	/** Not dilated, but stopped while the game is paused. */
	Audio
};

/** What one clock of the server's world shows in one frame. The values belong together. */
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

	/** World seconds per real second, as far as this machine knows. Zero while the clock stands still. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Rate = 0.0;

	/** Error bound, in ms of this clock. It holds even if the server just paused or dilated, and this machine
	 * cannot know yet. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Error bound, in ms of this clock, if the server has not paused or dilated since this machine last
	 * heard from it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundIfUnchangedMs = NetClock::UnknownMs;

	/** Counts the discontinuities of this clock: another world, another server, a clock that was set. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** How far the clock jumped in this frame, in ms. Positive: forwards. Slewed corrections do not count. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double JumpMs = 0.0;
};

/** How a clock of the server's world runs from one instant of real time on. The server publishes a segment
 * when that changes. */
USTRUCT()
struct NETCLOCK_API FNetClockWorldSegment
{
	GENERATED_BODY()

	/** Identifies this run of the server's clock. Zero: the server has published nothing yet. */
	UPROPERTY()
	int64 Epoch = 0;

	/** Number of the server's world. Another map is another world. */
	UPROPERTY()
	int32 World = 0;

	/** Number of this segment among those of this clock in this world. The first is one. */
	UPROPERTY()
	int32 Version = 0;

	/** The segment before was valid until then, in ticks of 100 ns of the server's real clock. */
	UPROPERTY()
	int64 SinceTicks = 0;

	/** Where this segment begins, in the same ticks. */
	UPROPERTY()
	int64 RealTicks = 0;

	/** The time of the clock there, in ticks of 100 ns. */
	UPROPERTY()
	int64 WorldTicks = 0;

	/** World ticks per real tick. Zero while the clock stands still. */
	UPROPERTY()
	double Rate = 0.0;

	/** How far the clock may be off this segment, in ticks. */
	UPROPERTY()
	int64 ToleranceTicks = 0;
};

/** What a client knows of the server's world. It is up to date if both numbers equal the server's. */
USTRUCT()
struct NETCLOCK_API FNetClockWorldKnowledge
{
	GENERATED_BODY()

	/** Number of the world. */
	UPROPERTY()
	int32 World = 0;

	/** Number of segments of all its clocks together. */
	UPROPERTY()
	int32 Segments = 0;

	bool operator==(const FNetClockWorldKnowledge& Other) const
	{
		return World == Other.World && Segments == Other.Segments;
	}
};

/** The newest segment of each clock. */
USTRUCT()
struct NETCLOCK_API FNetClockWorldSegments
{
	GENERATED_BODY()

	UPROPERTY()
	FNetClockWorldSegment World;

	UPROPERTY()
	FNetClockWorldSegment Unpaused;

	UPROPERTY()
	FNetClockWorldSegment Audio;
};
