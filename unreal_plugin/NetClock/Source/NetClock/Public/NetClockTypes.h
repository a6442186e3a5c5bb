// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockTypes.generated.h"

/** What a number of milliseconds says when nothing is known: larger than anything it is compared with. */
namespace NetClock
{
	constexpr double UnknownMs = 1.0e12;
}

/** How far the clock can be trusted. */
UENUM(BlueprintType)
enum class ENetClockState : uint8
{
	/** No reply was ever accepted. */
	Unsynced,
	/** Replies arrive and agree. */
	Synced,
	/** No reply for a while; running on the estimated rate. */
	Holdover,
	/** A clock may have stepped; asking again. */
	Doubtful
};

/** Why the clock jumped, or may be wrong until the next reply. */
UENUM(BlueprintType)
enum class ENetClockCause : uint8
{
	None,
	/** The server's clock was started anew. */
	ServerRestart,
	/** Two exchanges proved that a clock stepped. */
	ProvenStep,
	/** This machine was suspended, or its game stood still for long. */
	LocalGap,
	/** This machine's clock went back. */
	LocalStep,
	/** A correction forwards that was too large to be worked off. */
	Correction,
	/** This client has another connection: it may be another server. */
	NewConnection,
	/** The server's world lost time (a long hitch there), and its clients followed. */
	WorldJump
};

/** Why the clock is less good than it should be. */
UENUM(BlueprintType)
enum class ENetClockDegradation : uint8
{
	/** It is good again. */
	None,
	/** No replies arrive. */
	NoReplies,
	/** The error bound is above its target. */
	BoundAboveTarget,
	/** A reply contradicts the clock; a second one will decide. */
	Contradiction
};

/** How good the clock is, in a word: by the size that its error probably has, and whether it is followed up. */
UENUM(BlueprintType)
enum class ENetClockQuality : uint8
{
	/** There is no server time to show. */
	None,
	/** A time that may be wrong by more than a frame, or that nothing is promised of at the moment. */
	Poor,
	/** Probably right to within a frame at 60 frames a second; or better, but without replies for a while. */
	Fair,
	/** Probably right to within 5 ms. */
	Good,
	/** This machine's own time: a server, or a game without one. */
	Exact
};

/** What a client asks. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockRequest
{
	GENERATED_BODY()

	/** To be echoed in the reply. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** When the client sent it, in ticks of 100 ns of the client's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ClientTicks = 0;
};

/** What the server answers. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockReply
{
	GENERATED_BODY()

	/** The request's. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** The run of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Epoch = 0;

	/** When the server received the request, in ticks of 100 ns of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ReceivedTicks = 0;

	/** When the server sent this reply, in ticks of 100 ns of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 SentTicks = 0;
};

/** Everything the clock says in one frame; all of it belongs together. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStatus
{
	GENERATED_BODY()

	/** How far the clock can be trusted. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** True if there is a server time to show. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsSynced = false;

	/** The server's real time, in ticks of 100 ns. Zero until synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerTicks = 0;

	/** The true server time is within this, in ms. Huge if nothing can be promised. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected size of the error, one standard deviation, in ms. Huge if nothing is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** Smallest recent round trip, in ms. Huge until synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Rate of the server's clock against this one's, in ppm; positive: the server's runs faster. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double FrequencyPpm = 0.0;

	/** Counts this client's timelines. Within one the time never goes backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** The run of the server's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/**
 * Which world time belongs to which real time on the server, as long as the world's time runs at the rate of real time.
 * Published when the relation changes, not when time passes.
 */
USTRUCT()
struct NETCLOCK_API FNetClockWorldSegment
{
	GENERATED_BODY()

	/** The run of the server's clock; zero: nothing was published yet. */
	UPROPERTY()
	int64 Epoch = 0;

	/** A real time of the server, in ticks of 100 ns. */
	UPROPERTY()
	int64 RealTicks = 0;

	/** The world time that belongs to it. */
	UPROPERTY()
	double WorldSeconds = 0.0;

	/** False while the world is paused or dilated: then this says nothing. */
	UPROPERTY()
	bool bConstantRate = false;
};
