// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"
#include "NetClockStartTypes.generated.h"

/** How far a start has come. */
UENUM(BlueprintType)
enum class ENetClockStartStage : uint8
{
	/** None was announced. */
	None,
	/** Server: a player is not ready; the start is scheduled as soon as all are, or patience ends. */
	HeldUp,
	/** It is announced and to come. */
	Scheduled,
	/** It has begun, here and at its time. */
	Started,
	/** It had begun before this machine heard of it. */
	JoinedLate,
	/** It was taken back. */
	Cancelled
};

/** Why a start has to wait for a player. */
UENUM(BlueprintType)
enum class ENetClockHoldUp : uint8
{
	/** It has not. */
	None,
	/** The player was not heard of for 1.5 s: joining, loading the world, or gone. */
	Silent,
	/** The player's clock is not synced. */
	Unsynced,
	/** The player's clock is probably further off than the project's settings allow. */
	Inaccurate,
	/** Telling the player would take longer than half of the patience of the project's settings. */
	TooSlow
};

/** What this machine knows of the newest start, in this frame. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStartStatus
{
	GENERATED_BODY()

	/** How far it has come. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStartStage Stage = ENetClockStartStage::None;

	/** When it is, or was: the server's real time in ticks of 100 ns. Zero if none was announced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 AtTicks = 0;

	/** How long it is until then, in seconds. Zero if it is not scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double CountdownSeconds = 0.0;

	/** Once it began: how far the frame's time was past the start, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** Once it began: how far this machine's clock may have been off then, in ms. Huge if nothing can be promised. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Server: why it is held up. Get Start Held Up By says by whom. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;

	/** Server: how many players are not ready; of a scheduled start, how many it did not wait for any longer. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 NotReady = 0;
};

/** What the server knows of one player's part in starts, by the player's own claims. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockPlayerStart
{
	GENERATED_BODY()

	/** True if a start would not have to wait for this player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsReady = false;

	/** Why it would. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::Silent;

	/** Error bound of the player's clock, in ms. Huge if not known, as the next two. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error of the player's clock, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How long before a start this player has to be told, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double NoticeMs = NetClock::UnknownMs;

	/** True if the player was ready when the newest start was scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bWasReady = false;

	/** True if the player knows of the newest start, or that it was cancelled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasHeard = false;

	/** True if the player says that it began there. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasStarted = false;

	/** How long after the start that was, in ms, by the player's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** How far that clock may have been off then, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessBoundMs = NetClock::UnknownMs;
};

/**
 * Server: how far apart the newest start was, by the clocks of those players who were ready for it; on a listen server the
 * host is one of them.
 */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStartOutcome
{
	GENERATED_BODY()

	/** How many players were ready when it was scheduled, and are still there. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Expected = 0;

	/** How many of them know of it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Heard = 0;

	/** How many of them say that it began. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Started = 0;

	/** The last minus the first of them, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double SpreadMs = 0.0;

	/** Half of them were late by no more than this, in ms: waiting for the next frame. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double MedianLatenessMs = 0.0;

	/** 99 % of them were late by no more than this, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double P99LatenessMs = 0.0;

	/** The largest error bound of their clocks, in ms: the true spread is within twice this of the spread above. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = 0.0;
};

/** One of the library's datagrams of 32 bytes, on its way in a call: each number is eight of its bytes, the first the highest. */
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

/** What the server tells each player of starts, by replication: what messages that are lost could not. */
USTRUCT()
struct NETCLOCK_API FNetClockStartNews
{
	GENERATED_BODY()

	/** Say how good your clock is: there will be a start. */
	UPROPERTY()
	bool bPrepared = false;

	/** Number of the server's world that this is about; zero: the server has no library. */
	UPROPERTY()
	int32 World = 0;

	/** The newest start that began there, in ticks of 100 ns of the server's real time; zero: none. */
	UPROPERTY()
	int64 StartedTicks = 0;

	bool operator==(const FNetClockStartNews& Other) const
	{
		return bPrepared == Other.bPrepared && World == Other.World && StartedTicks == Other.StartedTicks;
	}
};
