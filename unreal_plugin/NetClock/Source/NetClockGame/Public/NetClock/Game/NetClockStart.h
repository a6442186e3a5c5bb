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
	/** Server: a player is not ready. The start is scheduled when all players are ready, or when the patience
	 * ends. */
	HeldUp,
	/** The start is announced and lies in the future. */
	Scheduled,
	/** The start began on this machine at its instant. */
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
	/** The player has sent nothing for 1.5 s: it is joining, is loading the world, or has left. */
	Silent,
	/** The player's clock is not synced. */
	Unsynced,
	/** The expected error of the player's clock exceeds StartMaxExpectedErrorMs. */
	Inaccurate,
	/** The announcement would take longer than half of StartPatienceSeconds to reach the player. */
	TooSlow
};

/** The latest start, as this machine knows it in this frame. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStartStatus
{
	GENERATED_BODY()

	/** The stage of the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStartStage Stage = ENetClockStartStage::None;

	/** The instant of the start, in ticks of 100 ns of the server time. Zero if no start was announced. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 AtTicks = 0;

	/** How late the start began on this machine, in ms: the time of its first frame minus the instant of the
	 * start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** The error bound of this machine's clock when the start began, in ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Server: why the start has to wait. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;

	/** Server: the first player for whom the start has to wait. Null if there is none. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	TObjectPtr<APlayerController> HeldUpBy = nullptr;

	/** Server: the number of players who are not ready. For a scheduled start, the number of players for whom
	 * it no longer waits. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 NotReady = 0;
};

/** One player's part in starts, as the server knows it. The values rely on what the player reports. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockPlayerStart
{
	GENERATED_BODY()

	/** True if the player is ready, so that a start does not wait for it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsReady = false;

	/** Why a start would wait for this player. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockHoldUp HoldUp = ENetClockHoldUp::Silent;

	/** The error bound of the player's clock, in ms. Huge if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The expected error of the player's clock, in ms. Huge if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How long before a start the announcement must be sent to this player, in ms. Huge if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double NoticeMs = NetClock::UnknownMs;

	/** True if the player was ready when the latest start was scheduled. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bWasReady = false;

	/** True if the player acknowledged the latest start, or its cancellation. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasAcknowledged = false;

	/** True if the player reported that the start began on its machine. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasStarted = false;

	/** How late the start began on the player's machine, in ms, by the player's clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessMs = 0.0;

	/** The error bound of the player's clock at that moment, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double LatenessBoundMs = NetClock::UnknownMs;
};

/**
 * Server: how simultaneous the latest start was. It is measured with the clocks of the players who were ready
 * for the start. On a listen server, the host is one of these players.
 */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStartResult
{
	GENERATED_BODY()

	/** The number of players who were ready when the start was scheduled and who are still connected. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Expected = 0;

	/** The number of these players who acknowledged the start. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Acknowledged = 0;

	/** The number of these players who reported that the start began. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Started = 0;

	/** The time between the first and the last player's start, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double SpreadMs = 0.0;

	/** The median lateness, in ms. Most of it is the wait for the next frame. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double MedianLatenessMs = 0.0;

	/** The 99 % quantile of the lateness, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double P99LatenessMs = 0.0;

	/** The largest error bound of these players' clocks, in ms. The true spread differs from SpreadMs by at
	 * most twice this bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = 0.0;
};

/** A start takes place in this frame, LatenessMs after its instant, with an error of at most ErrorBoundMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartBegins, double, LatenessMs, double, ErrorBoundMs);
/** A start is scheduled, CountdownSeconds from now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockStartAnnounced, double, CountdownSeconds);
/** The scheduled start was cancelled. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockStartCancelled);
/** A beat begins. Each number is reported once, in order. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockBeatBegins, int64, Beat);

/** How a start ended for C++ code that waits for it. */
enum class ENetClockStartEnd : uint8
{
	/** The start begins. */
	Started,
	/** The start was cancelled. */
	Cancelled,
	/** The world ended first. */
	WorldEnd
};
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockStartEnds, ENetClockStartEnd);

/**
 * Starts that begin at the same server time on all machines, and beats that are counted from there. There is
 * one object per world. Nothing is sent before the server prepares or schedules a start.
 *
 * The server checks whose clocks are accurate enough. It chooses the earliest instant that can be announced
 * to all players in time, and repeats the announcement until each player acknowledges it. It then collects
 * when each player started. On every machine, including the server, a start begins once: in the first frame
 * that reaches the instant, before the frame's actors tick. Players who join during the countdown receive the
 * announcement, and start with the others. Players who join later learn when the start began.
 */
UCLASS()
class NETCLOCKGAME_API UNetClockStart : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Server: makes the players' machines report how accurate their clocks are. Schedule Start does the
	 * same. Call this node in a lobby, so that the reports are there when you schedule the start. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	void PrepareStart();

	/**
	 * Server: schedules a start as soon as all connected players are ready, or the patience ends. Announcing
	 * the start adds some tenths of a second to MinimumDelayMs. Returns false if this is not a server, if a
	 * start is scheduled already, or if a number is out of range. Call it when the players have joined: a
	 * server without players starts after the delay.
	 *
	 * @param MinimumDelayMs The shortest time until the start, in ms, from 0 to 3600000 (an hour).
	 * @param Confidence The probability that the announcement reaches each player in time, above 0.5 and at
	 * most 0.99999.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool ScheduleStart(double MinimumDelayMs = 0.0, double Confidence = 0.999);

	/** Server: cancels the start that is held up or scheduled. Returns false if there is none, or if its
	 * instant has passed. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool CancelStart();

	/** Returns true if a start is announced and lies in the future. */
	bool IsStartScheduled() const { return Shown.Stage == ENetClockStartStage::Scheduled; }

	/** Returns true if the latest start has begun on this machine. */
	bool HasStarted() const
	{
		return Shown.Stage == ENetClockStartStage::Started || Shown.Stage == ENetClockStartStage::JoinedLate;
	}

	/**
	 * Finds the time since the latest start, which is negative during the countdown. Returns false if no
	 * start is known here, or if the clock is not synced: then there is no countdown to show, and nothing has
	 * begun.
	 *
	 * @param SinceSeconds The time since the start, in seconds. Negative until it begins.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music remaining"))
	bool GetTimeSinceStart(double& SinceSeconds) const;

	/** Returns the latest start, as this machine knows it in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartStatus GetStartStatus() const { return Shown; }

	/**
	 * Server: returns a player's part in starts, once a start has been prepared.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockPlayerStart GetPlayerStart(const APlayerController* Player) const;

	/** Server: returns how many players started, and how simultaneously. The result is complete about half a
	 * second after the start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartResult GetStartResult() const;

	/**
	 * Finds the current beat, counted from the start. All machines get the same result at the same moment.
	 * Returns false if no start has begun, or if the rate is out of range.
	 *
	 * @param BeatsPerSecond The number of beats per second, from 1 to 240.
	 * @param Beat The number of the beat. The first beat is 0.
	 * @param Alpha The fraction of the beat that has passed, from 0 to 1.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	bool GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const;

	/**
	 * Sets how often On Beat is called after a start. Set it before the start to get all beats from zero; if
	 * it is set later, On Beat continues with the next beat. Returns false if the rate is out of range.
	 *
	 * @param BeatsPerSecond The number of beats per second, from 1 to 240. 0 ends the calls.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool SetBeatRate(int32 BeatsPerSecond);

	/** Called once on every machine when a start begins. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartBegins OnStart;

	/** Called when a start is announced: on the server when it is scheduled, and on a client when the
	 * announcement arrives. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartAnnounced OnStartScheduled;

	/** Called when the announced start is cancelled. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartCancelled OnStartCancelled;

	/** Called when a beat begins. A slow frame can contain several beats. No beat is skipped or repeated. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockBeatBegins OnBeat;

	/** For C++ code that waits: called when a start begins or is cancelled here, and when the world ends. */
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
	/** Client: returns true if the guest's start belongs to this world and has not begun here. */
	bool IsNew(int64 AtTicks) const;
	void NoteCancelled();
	void BroadcastBeats();
	void StartBeats(bool bFromZero);
	/** Server: finds a player's part in starts. Returns false if it is unknown. */
	bool ReadPlayer(const APlayerController* Player, FNetClockPlayerStart& Known) const;
	UNetClockSubsystem* GetClock() const;
	bool IsServer() const;
	/** Logs an error of the caller, and returns false, if this machine is a client. */
	bool CheckIsServer(const TCHAR* Function) const;
	/** Server: returns the time that it serves now, in ticks. */
	int64 ServerTicks() const;

	UPROPERTY()
	FNetClockStartStatus Shown;

	/** The instant of the latest start that began here, or zero. Each start begins once. */
	int64 StartedTicks = 0;
	bool bPrepared = false;
	bool bWanted = false;
	double WantedDelayMs = 0.0;
	double WantedConfidence = 0.0;
	TSharedPtr<FNetClockBeats> Beats;
	FDelegateHandle FrameEndingHandle;
};

/** Stores the latest start of the world that a client leaves, so that the start does not begin again in the
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
	/** Continues when the next start begins on this machine. If one has begun already, it continues in the
	 * next frame, and Lateness Ms is the time since the start. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait For Start", Keywords = "countdown together race music"))
	static UNetClockWaitForStart* WaitForStart(const UObject* WorldContextObject);

	/** Continues when the start begins, with the lateness of this frame and its error bound, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockWaitPin Started;

	/** Continues if the start was cancelled, Cancel Wait was called, or there is no game. */
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
