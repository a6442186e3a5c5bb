// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockTypes.generated.h"

/** The state of a client's clock. */
UENUM(BlueprintType)
enum class ENetClockState : uint8
{
	/** The clock has not accepted a reply yet. */
	Unsynced,
	/** Replies are arriving and agree with the clock. */
	Synced,
	/** No reply has arrived recently. The clock keeps running at the estimated rate. */
	Holdover,
	/** One of the clocks may have stepped. The client is sending more requests to find out. */
	Doubtful
};

/** Why the clock jumped, or why it may be wrong until the next reply. */
UENUM(BlueprintType)
enum class ENetClockCause : uint8
{
	None,
	/** The server's clock restarted. */
	ServerRestart,
	/** Two exchanges have proven that one of the clocks stepped. */
	ProvenStep,
	/** This machine was suspended, or the game froze for a long time. */
	LocalGap,
	/** This machine's clock went backwards. */
	LocalStep,
	/** A correction was too large to slew. */
	Correction,
	/** The game has called "Step To Best Estimate", or a world has begun play. */
	Requested,
	/** The client has a new connection, possibly to a different server. */
	NewConnection,
	/** The world time jumped because an update arrived too late or was too large to slew. */
	WorldJump
};

/** Why the clock is less accurate than it should be. */
UENUM(BlueprintType)
enum class ENetClockDegradation : uint8
{
	/** The clock has recovered. */
	None,
	/** No replies are arriving. */
	NoReplies,
	/** The error bound exceeds TargetBoundMs. */
	BoundAboveTarget,
	/** A reply contradicts the clock. Further replies will show which of the two is wrong. */
	Contradiction,
	/** Several servers with different clocks reply from the same address, for example behind a load balancer.
	 * The clock follows one of these servers. */
	SeveralServers,
	/** One machine's clock is being slewed by more than MaxDriftPpm, so the error bound is wider from now
	 * on. */
	Slewed
};

/** The quality of the clock, based on its expected error and on whether replies are arriving. */
UENUM(BlueprintType)
enum class ENetClockQuality : uint8
{
	/** The server time is unknown. */
	None,
	/** The expected error exceeds one frame at 60 frames per second, or there is no error bound. */
	Poor,
	/** The expected error is at most one frame at 60 frames per second. A good clock also counts as fair
	 * while no replies are arriving. */
	Fair,
	/** The expected error is at most 5 ms. */
	Good,
	/** The time is exact because this machine is the server or the game has no server. */
	Exact
};

/** The clock's status in one frame. All values come from the same reading. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStatus
{
	GENERATED_BODY()

	/** The state of the clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** The quality of the clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockQuality Quality = ENetClockQuality::None;

	/** True if the server time is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsSynced = false;

	/** The server time, in ticks of 100 ns, or zero until the clock is synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerTicks = 0;

	/** The maximum difference from the true server time, in ms, or a huge value if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The standard deviation of the error, in ms, or a huge value if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** The shortest recent round-trip time, in ms, including the time spent waiting for frames on both
	 * machines. The value is huge until the clock is synced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** The rate of the server's clock relative to this machine's, in ppm. The rate is positive if the
	 * server's clock runs faster. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double FrequencyPpm = 0.0;

	/** Incremented at each discontinuity of this clock. Within an epoch, the time never goes backwards, no
	 * matter how long a frame takes. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Identifies the server's clock, and changes when that clock restarts. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** An event of a client's clock, for tools. Games should bind to the events of UNetClockSubsystem instead. */
struct FNetClockIncident
{
	/** HandedOver means that another server now serves the same timescale, so the clock continues. Other
	 * means that Text describes an event from another module. */
	enum class EKind : uint8 { Synced, HandedOver, Discontinuity, Degraded, Other };

	EKind Kind = EKind::Synced;
	/** The cause and the size of a discontinuity. */
	ENetClockCause Cause = ENetClockCause::None;
	double AfterMs = 0.0;
	ENetClockDegradation Degradation = ENetClockDegradation::None;
	FString Text = FString();
};

/** One of the server's world clocks, which do not follow real time. */
UENUM(BlueprintType)
enum class ENetClockWorldClock : uint8
{
	/** The time that GetServerWorldTimeSeconds() returns. This clock follows time dilation and stops during
	 * pauses. */
	World,
	/** Like the world time, except that it keeps running while the game is paused. */
	Unpaused,
	/** Like the world time, except that time dilation does not affect it. */
	Audio
};

/** The state of one of the server's world clocks in one frame. All values come from the same reading. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockWorldReading
{
	GENERATED_BODY()

	/** True once this machine is synced and knows the server's world. Until then, the other values are
	 * meaningless. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsKnown = false;

	/** The clock's time, in seconds. Within an epoch, the time never goes backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Seconds = 0.0;

	/** The clock's latest known rate, in world seconds per real second, or zero while the clock is
	 * stopped. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double Rate = 0.0;

	/** The error bound, in ms of this clock. It covers a pause, or a dilation of up to
	 * MaxUnannouncedDilation, before this machine learns of it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The error bound, in ms of this clock, assuming that the server has not paused or dilated its world
	 * since its last message. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundIfUnchangedMs = NetClock::UnknownMs;

	/** Incremented at each discontinuity of this clock, such as a new world, a new server, or a step. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** How far the clock jumped in this frame, in ms, excluding slewed corrections. The value is positive for
	 * forward jumps. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double JumpMs = 0.0;
};
