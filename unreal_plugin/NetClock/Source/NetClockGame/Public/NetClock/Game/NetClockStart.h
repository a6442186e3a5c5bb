// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockStart.generated.h"

class APlayerController;
struct FNetClockBeats;
class UNetClockSession;
class UNetClockSubsystem;
class UNetConnection;
class UObject;

/** The stage of a start. */
UENUM(BlueprintType)
enum class ENetClockStartStage : uint8
{
	/** No start has been announced. */
	None,
	/** Server: some players are not ready. The start will be scheduled as soon as all players are ready, or
	 * once half of StartPatienceSeconds has passed. */
	HeldUp,
	/** The start has been announced but has not begun. */
	Scheduled,
	/** The start has begun on this machine. */
	Started,
	/** The start had already begun when this machine received the announcement. */
	JoinedLate,
	/** The start was cancelled. */
	Cancelled
};

/** Why a start has to wait for a player. */
UENUM(BlueprintType)
enum class ENetClockHoldUp : uint8
{
	/** The start does not have to wait. */
	None,
	/** The player's machine has sent nothing for 1.5 s. The player may be joining or loading, or may have
	 * left. */
	Silent,
	/** The player's clock is not synced. */
	Unsynced,
	/** The expected error of the player's clock exceeds StartMaxExpectedErrorMs. */
	Inaccurate,
	/** The announcement would take longer than half of StartPatienceSeconds to reach the player. */
	TooSlow
};

/** What this machine knows about the latest start in this frame. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStartStatus
{
	GENERATED_BODY()

	/** The stage of the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStartStage Stage = ENetClockStartStage::None;

	/** The server time of the start, in ticks of 100 ns, or zero if no start has been announced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 AtTicks = 0;

	/** The time from the scheduled instant to the first frame of the start on this machine, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** The error bound of this machine's clock when the start began, in ms, or a huge value if there is no
	 * bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Server: why the start is waiting. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;

	/** Server: the first player for whom the start is waiting, or null. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	TObjectPtr<APlayerController> HeldUpBy = nullptr;

	/** Server: how many players are not ready, or were not ready when the start was scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 NotReady = 0;
};

/** A player's readiness and latest start, as reported by the player's machine. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockPlayerStart
{
	GENERATED_BODY()

	/** True if the player is ready, so a start does not have to wait for them. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsReady = false;

	/** Why a start would wait for this player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::Silent;

	/** The error bound of the player's clock, in ms, or a huge value if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The expected error of the player's clock, in ms, or a huge value if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How far in advance the start must be announced to this player, in ms, or a huge value if this is
	 * unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double NoticeMs = NetClock::UnknownMs;

	/** True if the player was ready when the latest start was scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bWasReady = false;

	/** True if the player has acknowledged the latest start or its cancellation. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasAcknowledged = false;

	/** True if the player's machine has reported that the start has begun. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasStarted = false;

	/** How late the start began on the player's machine, in ms, according to that machine's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** The error bound of the player's clock at the start, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessBoundMs = NetClock::UnknownMs;
};

/**
 * Server: how closely the players' starts coincided, as measured by the clocks of the players who were ready.
 * On a listen server, the host counts as one of these players.
 */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStartResult
{
	GENERATED_BODY()

	/** The number of players who were ready when the start was scheduled and are still connected. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Expected = 0;

	/** How many of these players have acknowledged the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Acknowledged = 0;

	/** How many of these players have reported that the start began. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Started = 0;

	/** The time between the first player's start and the last player's start, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double SpreadMs = 0.0;

	/** The largest error bound of these players' clocks, in ms. The true spread differs from SpreadMs by at
	 * most twice this bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = 0.0;
};

/** A start begins in this frame, LatenessMs after the scheduled instant, give or take ErrorBoundMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartBegins, double, LatenessMs, double, ErrorBoundMs);
/** A start has been scheduled for CountdownSeconds from now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockStartAnnounced, double, CountdownSeconds);
/** The scheduled start has been cancelled. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockStartCancelled);
/** A beat begins. Each beat number is reported once, in order. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockBeatBegins, int64, Beat);

/** How a wait for a start ended (C++ only). */
enum class ENetClockStartEnd : uint8
{
	/** The start begins. */
	Started,
	/** The start was cancelled. */
	Cancelled,
	/** The world ended. */
	WorldEnd
};
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockStartEnds, ENetClockStartEnd);

/**
 * Starts something at the same server time on all machines, and then counts beats. There is one object per
 * world. Nothing is sent until the server prepares or schedules a start.
 *
 * The server waits until the players' clocks are accurate enough. The server then picks the earliest instant
 * that it can announce to all players in time. It repeats the announcement until every player has
 * acknowledged it. Afterwards, the server collects the players' start times. On every machine, including the
 * server, a start begins exactly once, in the first frame that reaches the instant, before that frame's
 * actors tick. Players who join during the countdown receive the announcement and start with everyone else.
 * Players who join later learn when the start began.
 */
UCLASS()
class NETCLOCKGAME_API UNetClockStart : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Server: asks the players' machines to report how accurate their clocks are. Schedule Start does this
	 * too. If you call this in the lobby, the reports will have arrived by the time you schedule the
	 * start. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	void PrepareStart();

	/**
	 * Server: schedules a start as soon as all connected players are ready, or once half of
	 * StartPatienceSeconds has passed. The announcement adds a few tenths of a second to MinimumDelayMs.
	 * Returns false if this is not a server, a start is already scheduled, or a parameter is out of range.
	 * Call this after the players have joined. If there are no players, the start begins right after the
	 * delay.
	 *
	 * @param MinimumDelayMs The shortest time until the start, in ms, from 0 to 3600000 (an hour).
	 * @param Confidence The probability that the announcement reaches each player in time, greater than 0.5
	 * and at most 0.99999.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool ScheduleStart(double MinimumDelayMs = 0.0, double Confidence = 0.999);

	/** Server: cancels a start that is held up or scheduled. Returns false if there is no such start or it
	 * has already begun. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool CancelStart();

	/** Returns true if a start has been announced but has not begun. */
	bool IsStartScheduled() const { return Shown.Stage == ENetClockStartStage::Scheduled; }

	/** Returns true if the latest start has begun on this machine. */
	bool HasStarted() const
	{
		return Shown.Stage == ENetClockStartStage::Started || Shown.Stage == ENetClockStartStage::JoinedLate;
	}

	/**
	 * Gets the time since the latest start, which is negative during the countdown. Returns false if this
	 * machine does not know of a start or its clock is not synced, so there is no countdown to show.
	 *
	 * @param SinceSeconds The time since the start, in seconds. The value is negative until the start begins.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music remaining"))
	bool GetTimeSinceStart(double& SinceSeconds) const;

	/** Returns what this machine knows about the latest start in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartStatus GetStartStatus() const { return Shown; }

	/**
	 * Server: returns a player's readiness and latest start. Call Prepare Start first.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockPlayerStart GetPlayerStart(const APlayerController* Player) const;

	/** Server: returns how many players started and how closely their starts coincided. The result is
	 * complete about half a second after the start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartResult GetStartResult() const;

	/**
	 * Gets the current beat, counted from the start. At any moment, the result is the same on all machines.
	 * Returns false if no start has begun or the rate is out of range.
	 *
	 * @param BeatsPerSecond The number of beats per second, from 1 to 240.
	 * @param Beat The number of the beat. The first beat is 0.
	 * @param Alpha The fraction of the beat that has passed, from 0 to 1.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	bool GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const;

	/**
	 * Sets how often On Beat is called after a start. Set the rate before the start to receive every beat
	 * from zero. If you set it later, On Beat begins with the next beat. Returns false if the rate is out of
	 * range.
	 *
	 * @param BeatsPerSecond The number of beats per second, from 1 to 240. 0 stops the beats.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool SetBeatRate(int32 BeatsPerSecond);

	/** Called once on every machine when a start begins. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartBegins OnStart;

	/** Called when a start is announced. The server calls this when the start is scheduled, and a client when
	 * the announcement arrives. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartAnnounced OnStartScheduled;

	/** Called when an announced start is cancelled. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartCancelled OnStartCancelled;

	/** Called when a beat begins. In a long frame it may be called several times, so that no beat is skipped
	 * or repeated. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockBeatBegins OnBeat;

	/** For C++. Called when a start begins or is cancelled on this machine, and when the world ends. */
	FNetClockStartEnds OnStartEnded;

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

protected:
	void BeforeActors() final;

private:
	void OnFrameEnding(UWorld* World);
	void ScheduleWhenReady();
	void Schedule(int64 AtTicks, int32 NotReady);
	void FollowServer();
	void Start(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate);
	/** Client: returns true if the guest's start belongs to this world and has not begun on this machine. */
	bool IsNew(int64 AtTicks) const;
	void NoteCancelled();
	void BroadcastBeats();
	void StartBeats(bool bFromZero);
	bool IsServer() const;
	/** Logs the misuse and returns false if this machine is a client. */
	bool CheckIsServer(const TCHAR* Function) const;
	/** Server: returns the time that this server currently serves, in ticks. */
	int64 ServerTicks() const;

	UPROPERTY()
	FNetClockStartStatus Shown;

	/** The instant of the latest start that began on this machine, or zero, so that no start begins twice. */
	int64 StartedTicks = 0;
	bool bPrepared = false;
	bool bWanted = false;
	double WantedDelayMs = 0.0;
	double WantedConfidence = 0.0;
	TSharedPtr<FNetClockBeats> Beats;
	FDelegateHandle FrameEndingHandle;
};

/** Remembers the latest start in the world that a client has left, so that it does not begin again in the
 * next world. */
UCLASS()
class UNetClockStartMemory : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	int64 EndedTicks = 0;
	TWeakObjectPtr<UNetConnection> Connection;
};

/** The Blueprint node that waits for a start, on any machine. In C++, bind to OnStart of UNetClockStart. */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCKGAME_API UNetClockWaitForStart : public UNetClockWait
{
	GENERATED_BODY()

public:
	/** Waits until the next start begins on this machine. If a start has already begun, the node continues in
	 * the next frame, and Lateness Ms is the time since the start. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait For Start", Keywords = "countdown together race music"))
	static UNetClockWaitForStart* WaitForStart(const UObject* WorldContextObject);

	/** Executed when the start begins, with the frame's lateness and error bound in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockWaitPin Started;

	/** Executed if the start was cancelled, Cancel Wait was called, or no game is running. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockWaitPin Cancelled;

	virtual void Activate() override;

protected:
	virtual const FNetClockWaitPin& GetCancelledPin() const override { return Cancelled; }
	virtual void StopWaiting() override;

private:
	void OnEnded(ENetClockStartEnd End);
	void OnWaited(const FNetClockWaited& Waited);

	TWeakObjectPtr<UNetClockStart> Start;
	FDelegateHandle EndedHandle;
};
