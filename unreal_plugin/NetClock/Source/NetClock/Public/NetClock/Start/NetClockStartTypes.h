// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "NetClockStartTypes.generated.h"

/** How far a start has come. */
UENUM(BlueprintType)
enum class ENetClockStartStage : uint8
{
	/** No start was announced. */
	None,
	/** Server: a player is not ready. The start is scheduled when all are ready, or when patience ends. */
	HeldUp,
	/** The start is announced and lies in the future. */
	Scheduled,
	/** The start began here, at its time. */
	Started,
	/** The start had begun before this machine heard of it. */
	JoinedLate,
	/** The start was cancelled. */
	Cancelled
};

/** Why a start has to wait for a player. */
UENUM(BlueprintType)
enum class ENetClockHoldUp : uint8
{
	/** It does not wait. */
	None,
	/** The player was silent for 1.5 s: joining, loading the world, or gone. */
	Silent,
	/** The player's clock is not synced. */
	Unsynced,
	/** The expected error of the player's clock is larger than the project settings allow. */
	Inaccurate,
	/** Telling the player would take longer than half of the patience in the project settings. */
	TooSlow
};

/** What this machine knows about the newest start, in this frame. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStartStatus
{
	GENERATED_BODY()

	/** The stage of the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStartStage Stage = ENetClockStartStage::None;

	/** The instant of the start: the server's real time, in ticks of 100 ns. Zero if no start was
	 * announced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 AtTicks = 0;

	/** Time until the start, in seconds. Zero if none is scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double CountdownSeconds = 0.0;

	/** How late the start began here, in ms: the time of its first frame minus the instant of the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** Error bound of this machine's clock when the start began here, in ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Server: why the start has to wait. Get Start Held Up By names the player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;

	/** Server: number of players who are not ready. For a scheduled start: number of players it stopped
	 * waiting for. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 NotReady = 0;
};

/** What the server knows about one player's part in starts. It relies on what the player claims. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockPlayerStart
{
	GENERATED_BODY()

	/** True if the player is ready: a start would not wait for this player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsReady = false;

	/** Why a start would wait for this player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::Silent;

	/** Error bound of the player's clock, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error of the player's clock, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How long before a start this player must be told, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double NoticeMs = NetClock::UnknownMs;

	/** True if the player was ready when the newest start was scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bWasReady = false;

	/** True if the player confirmed the newest start, or that it was cancelled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasHeard = false;

	/** True if the player reported that the start began there. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasStarted = false;

	/** How late the start began there, in ms, by the player's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** Error bound of the player's clock at that moment, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessBoundMs = NetClock::UnknownMs;
};

/**
 * Server: how simultaneous the newest start was, by the clocks of the players who were ready for it. On a
 * listen server the host is one of them.
 */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStartResult
{
	GENERATED_BODY()

	/** Number of players who were ready when the start was scheduled, and who are still there. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Expected = 0;

	/** Number of them who confirmed the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Heard = 0;

	/** Number of them who reported that it began. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Started = 0;

	/** Time between the first and the last of them, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double SpreadMs = 0.0;

	/** Median lateness, in ms. Most of it is the wait for the next frame. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double MedianLatenessMs = 0.0;

	/** 99 % quantile of the lateness, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double P99LatenessMs = 0.0;

	/** The largest error bound of their clocks, in ms. The true spread is within twice this of SpreadMs. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = 0.0;
};

/** What the server replicates to each player about starts. Replication repairs what lost messages miss. */
USTRUCT()
struct NETCLOCK_API FNetClockStartNews
{
	GENERATED_BODY()

	/** Asks the client to report how good its clock is, because a start is prepared. */
	UPROPERTY()
	bool bPrepared = false;

	/** Number of the server's world. Zero: the server has no library. */
	UPROPERTY()
	int32 World = 0;

	/** The newest start that began there, in ticks of 100 ns of the server's real time. Zero: none. */
	UPROPERTY()
	int64 StartedTicks = 0;

	bool operator==(const FNetClockStartNews& Other) const
	{
		return bPrepared == Other.bPrepared && World == Other.World && StartedTicks == Other.StartedTicks;
	}
};
