// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "NetClockPeerTypes.generated.h"

/** How far a peer has come. */
UENUM(BlueprintType)
enum class ENetClockPeerStage : uint8
{
	/** The peer has no slot, and asks the relay for one. */
	Joining,
	/** The peer has a slot, but no shared clock yet. */
	Waiting,
	/** The peer has the shared clock. The game has not begun. */
	Synced,
	/** The game is running. */
	Playing,
	/** The peer left, or the relay speaks another version. */
	Ended
};

/** Whose clock is the shared one. */
UENUM(BlueprintType)
enum class ENetClockPeerRole : uint8
{
	/** The peer has no slot. */
	None,
	/** This peer's clock. */
	Primary,
	/** Another peer's clock. */
	Secondary
};

/** Why the relay refused a peer. */
UENUM(BlueprintType)
enum class ENetClockRejection : uint8
{
	/** The relay did not refuse it. */
	None,
	/** The relay speaks another version. */
	Version,
	/** No free slot in this game, or no room for another game. The peer tries again. */
	Full,
	/** This peer is logged in already, on this connection or on another. The peer tries again. */
	Duplicate,
	/** The relay does not know the login, or no longer. The peer logs in again. */
	NotLoggedIn
};

/** Everything that a peer knows in one frame. The values belong together. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockPeerStatus
{
	GENERATED_BODY()

	/** How far the peer has come. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerStage Stage = ENetClockPeerStage::Joining;

	/** Whose clock is the shared one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerRole Role = ENetClockPeerRole::None;

	/** Why the relay refused the last login. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockRejection Rejection = ENetClockRejection::None;

	/** How far the clock can be trusted. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** Number of its slot. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Slot = 0;

	/** Number of peers in the game, as the relay last reported. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** The shared clock, in ticks of 100 ns. Zero when the game begins, and before. It never goes backwards
	 * within an Epoch. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SharedTicks = 0;

	/** Error bound: the primary's clock is within this many ms, if the relay reports truthfully how long it
	 * held messages. Huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error: one standard deviation, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How far the primary's clock may be off the clock of the game's first primary, in ms. Each change of
	 * the primary adds to it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double InheritedMs = 0.0;

	/** Smallest recent round trip to the primary, in ms, without the time that the relay held messages. Huge
	 * until known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Counts the discontinuities of this peer's clock. Within one epoch the shared time never goes
	 * backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Identifies the clock of the primary. Peers with the same value read the same clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** A message of your game from another peer. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockGameMessage
{
	GENERATED_BODY()

	/** Its number, from 256 to 65535. Your game gives it a meaning. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Number = 0;

	/** The sender's slot. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Slot = 0;

	/** When it was sent by the shared clock, in ticks of 100 ns, rounded to a millisecond. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SentTicks = 0;

	/** The content of the message. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	TArray<uint8> Data;
};

/** The state of one game at a relay. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockRelayGame
{
	GENERATED_BODY()

	/** Number of peers in the game. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** Number of primaries so far, including the present one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Primaries = 0;

	/** True if the game has begun. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bBegan = false;

	/** True if the game has a primary. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasPrimary = false;

	/** The connection of the primary, if there is one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 Connection = 0;

	/** Number of messages that were lost because a peer's queue was full. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Dropped = 0;
};
