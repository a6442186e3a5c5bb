// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockTypes.generated.h"

/** How far the clock can be trusted. */
UENUM(BlueprintType)
enum class ENetClockState : uint8
{
	/** The clock has not accepted a reply yet. */
	Unsynced,
	/** Replies arrive and agree. */
	Synced,
	/** No replies for a while. The clock runs on at the estimated rate. */
	Holdover,
	/** A clock may have stepped. The client asks again. */
	Doubtful
};

namespace NetClock
{
	/** The state for one of the library's NETCLOCK_STATE_... numbers. */
	NETCLOCK_API ENetClockState StateOf(int32 State);
}

/** Why the clock jumped, or may be wrong until the next reply. */
UENUM(BlueprintType)
enum class ENetClockCause : uint8
{
	None,
	/** The server's clock was restarted. */
	ServerRestart,
	/** Two exchanges proved that a clock stepped. */
	ProvenStep,
	/** This machine was suspended, or its game froze for a long time. */
	LocalGap,
	/** This machine's clock went backwards. */
	LocalStep,
	/** A correction was too large to slew. */
	Correction,
	/** The game, or the beginning of a world, stepped the clock to its best estimate. */
	Requested,
	/** This client has a new connection. It may lead to another server. */
	NewConnection,
	/** The world time jumped. The news came too late, or was too large, to slew. */
	WorldJump
};

/** Why the clock is less accurate than it should be. */
UENUM(BlueprintType)
enum class ENetClockDegradation : uint8
{
	/** The clock is good again. */
	None,
	/** No replies arrive. */
	NoReplies,
	/** The error bound is above its target. */
	BoundAboveTarget,
	/** A reply contradicts the clock. A second one will decide. */
	Contradiction,
	/** Several servers with different clocks answer at one address, as behind a load balancer. The clock
	 * follows one. */
	SeveralServers,
	/** A machine's clock is slewed by more than MaxDriftPpm allows. The error bound is wider from now on. */
	Slewed
};

/** How good the clock is, by its expected error and by whether replies arrive. */
UENUM(BlueprintType)
enum class ENetClockQuality : uint8
{
	/** The server time is not known. */
	None,
	/** The expected error is more than a frame at 60 frames a second, or there is no error bound. */
	Poor,
	/** The expected error is at most a frame at 60 frames a second, or smaller but without replies for a
	 * while. */
	Fair,
	/** The expected error is at most 5 ms. */
	Good,
	/** This machine's own time. It is the server, or plays without one. */
	Exact
};

/** A client's request for the time. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockRequest
{
	GENERATED_BODY()

	/** The number of the request. The reply repeats it. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** When the client sent the request, in ticks of 100 ns of the client's clock, from an origin that the
	 * client draws. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ClientTicks = 0;
};

/** The server's reply to a request. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockReply
{
	GENERATED_BODY()

	/** The number of the request. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Id = 0;

	/** Identifies this run of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Epoch = 0;

	/** When the server received the request, in ticks of 100 ns of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ReceivedTicks = 0;

	/** When the server sent this reply, in ticks of 100 ns of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 SentTicks = 0;

	/** The longest time that the request can have waited before the server's frame found it, in ticks of
	 * 100 ns: one server frame. Zero if unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int32 WaitTicks = 0;

	/** The WaitTicks of reliable calls: they may wait behind other calls since they were sent. */
	static constexpr int32 SinceSent = 0x7FFFFFFF;
};

/** Everything that the clock shows in one frame. The values belong together. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStatus
{
	GENERATED_BODY()

	/** How far the clock can be trusted. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** True if the server time is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsSynced = false;

	/** The server's real time, in ticks of 100 ns. Zero until synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerTicks = 0;

	/** Error bound: the true server time is within this many ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error: one standard deviation, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** Smallest recent round trip, in ms. Huge until synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Rate of the server's clock relative to this machine's, in ppm. Positive: the server's runs faster. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double FrequencyPpm = 0.0;

	/** Counts the discontinuities of this clock. Within one epoch the time never goes backwards, however long
	 * a frame hangs. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Identifies this run of the server's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** Something that happened to a client's clock, for tools that show it. Games use the events of
 * UNetClockSubsystem. */
struct FNetClockIncident
{
	enum class EKind : uint8
	{
		/** There is a server time to show. */
		Synced,
		/** Another server shows the same timescale, and the clock continues. */
		HandedOver,
		/** As OnDiscontinuity: Cause, and AfterMs is the jump. */
		Discontinuity,
		/** As OnDegraded: Degradation. */
		Degraded,
		/** Of another module: Text says it. */
		Other
	};

	EKind Kind = EKind::Synced;
	ENetClockCause Cause = ENetClockCause::None;
	ENetClockDegradation Degradation = ENetClockDegradation::None;
	double AfterMs = 0.0;
	FString Text;
};

/** Says whose time a server serves: a run of its clock, the timescale, and how far the clock may be off
 * it. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockAuthority
{
	GENERATED_BODY()

	/** Identifies the run of the server's clock. Zero: not known. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Identifies the timescale: the epoch of the first server that served it, or a number that you gave to a
	 * fleet. It may be older than the server. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** Dispersion: how far the server's clock may be off the timescale, in ms. Handovers and drift add to
	 * it. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};
