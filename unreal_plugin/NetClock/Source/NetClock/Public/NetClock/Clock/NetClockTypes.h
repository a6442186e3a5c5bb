// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockUnits.h"
#include "CoreMinimal.h"
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
	/** A forward correction was too large to slew. */
	Correction,
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

/** The direction of a message. */
UENUM(BlueprintType)
enum class ENetClockDirection : uint8
{
	/** From this machine to the server. */
	ToServer,
	/** From the server to this machine. */
	ToClient
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
