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
	/** The world time leapt: the news was too late, or too large, to be worked off. */
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

/** Which way a message goes. */
UENUM(BlueprintType)
enum class ENetClockDirection : uint8
{
	/** From this machine to the server. */
	ToServer,
	/** From the server to this machine. */
	ToClient
};

/** What the server thinks of a player's clock. */
UENUM(BlueprintType)
enum class ENetClockSuspicion : uint8
{
	/** Too little was heard of it. */
	Unknown,
	/** Delay and ordinary crystals explain everything. */
	Plausible,
	/** Only a path that behaves as paths hardly ever do would explain it. Look closer, do not punish. */
	Likely,
	/** No delays explain it: the clock ran at another rate, or was set. */
	Proven
};

/** What was found about a player's clock. */
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
	/** It fell back, or stood still: a machine that slept does that too. */
	Removed
};

/** What a server thinks of a player's clock, with the evidence. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockVerdict
{
	GENERATED_BODY()

	/** About the last minute. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Level = ENetClockSuspicion::Unknown;

	/** The highest level there ever was. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Worst = ENetClockSuspicion::Unknown;

	/** What the newest finding was. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockFinding Finding = ENetClockFinding::None;

	/** How often there was one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Findings = 0;

	/** Newest finding: what the player's clock gained on the server's beyond what crystals explain, in ms; negative: lost. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double GainedMs = 0.0;

	/** Newest finding: how long that took, in seconds. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double DurationSeconds = 0.0;

	/** True if the two rates below are known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsRateKnown = false;

	/** Mean rate of the player's clock against the server's, in ppm; positive: the player's runs fast. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RatePpm = 0.0;

	/** How far off that may be, in ppm. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RateErrorPpm = 0.0;
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

/** A clock of the server's world that does not run like real time. */
UENUM(BlueprintType)
enum class ENetClockWorldClock : uint8
{
	/** The world's time: dilated, and stands while the game is paused. What GetServerWorldTimeSeconds() says. */
	World,
	/** Dilated, but goes on while the game is paused. */
	Unpaused,
	/** Stands while the game is paused, but is not dilated. */
	Audio
};

/** What one clock of the server's world says in one frame; all of it belongs together. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockWorldReading
{
	GENERATED_BODY()

	/** False until this machine is synced and has been told of the server's world. The rest then means nothing. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsKnown = false;

	/** What the clock says, in seconds. It never goes back while Epoch is the same. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Seconds = 0.0;

	/** World seconds per second of real time, as far as is known; zero while it stands. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Rate = 0.0;

	/** The server's clock is within this, in ms of its own time, also if it was just paused or dilated and nobody here can know yet. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The server's clock is within this, in ms of its own time, if nothing was paused or dilated since the server was last heard. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundIfUnchangedMs = NetClock::UnknownMs;

	/** Counts what could not be shown without going back or leaping: another world, another server, a clock set anew. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** By how much the clock leapt in this frame, in ms; positive: forwards. Corrections that are worked off do not count. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double JumpMs = 0.0;
};

/**
 * From an instant of real time on, how a clock of the server's world goes on. Published when that changes, not when time
 * passes.
 */
USTRUCT()
struct NETCLOCK_API FNetClockWorldSegment
{
	GENERATED_BODY()

	/** The run of the server's clock; zero: nothing was published yet. */
	UPROPERTY()
	int64 Epoch = 0;

	/** Number of the server's world: another map, another world. */
	UPROPERTY()
	int32 World = 0;

	/** Counts the segments of this clock of this world, from one. */
	UPROPERTY()
	int32 Version = 0;

	/** What came before held until then, in ticks of 100 ns of the server's real clock. */
	UPROPERTY()
	int64 SinceTicks = 0;

	/** Where this begins, in the same ticks. */
	UPROPERTY()
	int64 RealTicks = 0;

	/** What the clock says there, in ticks of 100 ns. */
	UPROPERTY()
	int64 WorldTicks = 0;

	/** Its ticks per real tick; zero while it stands. */
	UPROPERTY()
	double Rate = 0.0;

	/** How far the clock may be from this, in ticks. */
	UPROPERTY()
	int64 ToleranceTicks = 0;
};

/** What is known of the server's world: it is up to date if both numbers are the server's. */
USTRUCT()
struct NETCLOCK_API FNetClockWorldKnowledge
{
	GENERATED_BODY()

	/** Number of the world. */
	UPROPERTY()
	int32 World = 0;

	/** Segments published in it so far, of all its clocks together. */
	UPROPERTY()
	int32 Segments = 0;

	bool operator==(const FNetClockWorldKnowledge& Other) const { return World == Other.World && Segments == Other.Segments; }
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
