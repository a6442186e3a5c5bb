// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"
#include "NetClockPeerTypes.generated.h"

/** How far a peer has come. */
UENUM(BlueprintType)
enum class ENetClockPeerStage : uint8
{
	/** It has no seat, and asks the relay for one. */
	Joining,
	/** It has a seat, but no shared clock yet. */
	Waiting,
	/** It has the shared clock; the game did not begin. */
	Synced,
	/** The game runs. */
	Playing,
	/** It left, or the relay speaks another version. */
	Ended
};

/** Whose clock is the shared one. */
UENUM(BlueprintType)
enum class ENetClockPeerRole : uint8
{
	/** It has no seat. */
	None,
	/** This peer's. */
	Primary,
	/** Another one's. */
	Secondary
};

/** Why the relay refused a peer. */
UENUM(BlueprintType)
enum class ENetClockRejection : uint8
{
	/** It did not. */
	None,
	/** It speaks another version. */
	Version,
	/** No seat in this game, or no room for another game; tried again. */
	Full,
	/** This peer is logged in already, by this connection or another one; tried again. */
	Duplicate,
	/** It does not know the login (any more); the peer logs in again. */
	NotLoggedIn
};

/** Everything a peer knows in one frame; all of it belongs together. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockPeerStatus
{
	GENERATED_BODY()

	/** How far it has come. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerStage Stage = ENetClockPeerStage::Joining;

	/** Whose clock is shared. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerRole Role = ENetClockPeerRole::None;

	/** Why the relay refused the last login. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockRejection Rejection = ENetClockRejection::None;

	/** How far the clock can be trusted. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** Number of its seat. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Seat = 0;

	/** How many peers are there, as the relay said last. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** The shared clock, in ticks of 100 ns: zero when the game began and before, never backwards within an Epoch. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SharedTicks = 0;

	/** The primary's clock is within this, in ms, if the relay says truly how long it held messages. Huge if nothing can be promised. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected size of the error, one standard deviation, in ms. Huge if nothing is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How far the primary's clock may be from that of the game's first primary, in ms: what was lost when primaries changed. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double InheritedMs = 0.0;

	/** Smallest recent round trip to the primary, in ms, without what the relay held. Huge until it is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Counts this peer's timelines. Within one the shared time never goes backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Names the primary: peers with the same one read the same clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** A message of the game's own that came from another peer. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockGameMessage
{
	GENERATED_BODY()

	/** Its number, from 256 to 65535: what the game makes of it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Number = 0;

	/** The sender's seat. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Seat = 0;

	/** What the shared clock said when it was sent, in ticks of 100 ns, to the millisecond. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SentTicks = 0;

	/** What it says. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	TArray<uint8> Data;
};

/** How a game at a relay is doing. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockRelayGame
{
	GENERATED_BODY()

	/** Peers that are there. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** How many primaries there were, the present one included. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Primaries = 0;

	/** True if it began. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bBegan = false;

	/** True if there is a primary. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasPrimary = false;

	/** The connection of the primary, if there is one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 Connection = 0;

	/** Messages for which there was no room in a peer's queue. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Dropped = 0;
};
