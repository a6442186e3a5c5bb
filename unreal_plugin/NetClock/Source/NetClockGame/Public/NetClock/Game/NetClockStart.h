// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
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
struct NETCLOCKGAME_API FNetClockStartStatus
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
struct NETCLOCKGAME_API FNetClockPlayerStart
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
struct NETCLOCKGAME_API FNetClockStartResult
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

/** A start begins in this frame. The frame is LatenessMs after the instant of the start, within
 * ErrorBoundMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartBegins, double, LatenessMs, double, ErrorBoundMs);
/** A start is scheduled, CountdownSeconds from now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockStartAnnounced, double, CountdownSeconds);
/** The scheduled start was cancelled. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockStartTakenBack);
/** A beat begins. Each number comes once, in order. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockBeatBegins, int64, Beat);

/** How waiting for a start ended, in C++. */
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
 * Starts that every machine makes at the same instant of the server's time, and beats that count from there.
 * There is one for each world. Nothing is sent before the server prepares or schedules a start.
 *
 * The server checks which players' clocks are good enough. It chooses the earliest instant that all can know
 * in time, tells the players until they confirm it, and collects when each began. Every machine, the server
 * too, starts once: in the first frame that reaches the instant, before the frame's actors tick. A player who
 * joins later hears that it began, and when.
 */
UCLASS()
class NETCLOCKGAME_API UNetClockStart : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Server: asks the players' machines to report how good their clocks are. Schedule Start does it too.
	 * Call it in a lobby to save the wait. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	void PrepareStart();

	/**
	 * Server: schedules a start when all players are ready, or when patience ends. It lies at least
	 * MinimumDelayMs ahead, from 0 to 3,600,000 (an hour); telling the players adds some tenths of a second.
	 * Each player hears of it in time with the probability Confidence, above 0.5 and at most 0.99999. False
	 * if this is not a server, if a start is scheduled already, or if a number is out of range.
	 *
	 * @param MinimumDelayMs The shortest time until the start, in ms, from 0 to 3600000. The news may need
	 * longer.
	 * @param Confidence Probability with which the news reaches every player in time, above 0.5 and at most
	 * 0.99999.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool ScheduleStart(double MinimumDelayMs = 0.0, double Confidence = 0.999);

	/** Server: cancels the start that is held up or scheduled. False if there is none, or if its time has
	 * come. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool CancelStart();

	/** True if a start is announced and lies in the future. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	bool IsStartScheduled() const { return Shown.Stage == ENetClockStartStage::Scheduled; }

	/** True if the newest start has begun on this machine. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	bool HasStarted() const
	{
		return Shown.Stage == ENetClockStartStage::Started || Shown.Stage == ENetClockStartStage::JoinedLate;
	}

	/** Time until the start, in seconds. Zero if none is scheduled. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start",
		meta = (DisplayName = "Get Start Countdown (s)", Keywords = "countdown together race music"))
	double GetStartCountdownSeconds() const;

	/** Time since the newest start, in seconds, in this frame. Zero if none has begun here. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start",
		meta = (DisplayName = "Get Time Since Start (s)", Keywords = "countdown together race music"))
	double GetTimeSinceStartSeconds() const;

	/** Everything that this machine knows about the newest start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartStatus GetStartStatus() const;

	/** Server: the first player for whom the start has to wait, or none. The status says why. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	APlayerController* GetStartHeldUpBy() const;

	/**
	 * Server: what it knows about a player's part in starts, once a start is prepared.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockPlayerStart GetPlayerStart(const APlayerController* Player) const;

	/** Server: who began, and how simultaneously. Complete about half a second after the start. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	FNetClockStartResult GetStartResult() const;

	/**
	 * The current beat, counted from the start, and the fraction of it that has passed, from 0 to 1.
	 * BeatsPerSecond is from 1 to 240. All machines get the same at the same moment. False if no start has
	 * begun.
	 *
	 * @param BeatsPerSecond Beats in a second, from 1 to 240.
	 * @param Beat The number of the beat since the start. The first is 0.
	 * @param Alpha How much of the beat has passed, from 0 to 1.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Start", meta = (Keywords = "countdown together race music"))
	bool GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const;

	/**
	 * Sets how often per second On Beat is called from the start on, from 1 to 240. Zero ends it. Set it
	 * before the start to get all beats from zero; if set later, On Beat continues with the next beat. False
	 * if the number is out of range.
	 *
	 * @param BeatsPerSecond Beats in a second, from 1 to 240. 0 ends them.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (Keywords = "countdown together race music"))
	bool SetBeatRate(int32 BeatsPerSecond);

	/** A start begins. Called once on every machine for each start. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartBegins OnStart;

	/** A start is announced. Called on the server when it is scheduled, and on a client when the announcement
	 * arrives. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartAnnounced OnStartScheduled;

	/** The announced start was cancelled. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartTakenBack OnStartCancelled;

	/** A beat begins. A slow frame can bring several. None is left out, and none comes twice. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockBeatBegins OnBeat;

	/** For C++ code that waits: a start began or was cancelled here, or the world ended. */
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
	void Begin(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate);
	/** Client: true if the guest shows a start that is this world's, and has not begun here. */
	bool IsNew(int64 AtTicks) const;
	void NoteCancelled();
	void BroadcastBeats();
	void BeginBeats(bool bFromZero);
	/** Server: true if a player's part in starts is known. */
	bool Ask(const APlayerController* Player, FNetClockPlayerStart& Known) const;
	UNetClockSubsystem* GetClock() const;
	bool IsServer() const;
	/** Server: the time that it serves now, in ticks. */
	int64 ServerTicks() const;

	FNetClockStartStatus Shown;
	/** The instant of the newest start that began here, or zero. Each start begins once. */
	int64 BegunTicks = 0;
	bool bPrepared = false;
	bool bWanted = false;
	double WantedDelayMs = 0.0;
	double WantedConfidence = 0.0;
	TWeakObjectPtr<APlayerController> HeldUpBy;
	TSharedPtr<FNetClockBeats> Beats;
	FDelegateHandle FrameEndingHandle;
};

/** Remembers the newest start of the world that a client leaves, which is not one of the next world. */
UCLASS()
class UNetClockStartMemory : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	int64 EndedTicks = 0;
	TWeakObjectPtr<UNetConnection> Connection;
};

/** How late the start is, and the error bound of the clock, both in ms. Zero and huge if there is no
 * start. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartPin, double, LatenessMs, double, ErrorBoundMs);

/**
 * The Blueprint node that waits for a start, on any machine. In C++, bind to OnStart of UNetClockStart. When
 * the world ends, it calls neither pin.
 */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCKGAME_API UNetClockWaitForStart : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/** Continues when the next start begins on this machine. If one has begun already, it continues in the
	 * next frame. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait For Start", Keywords = "countdown together race music"))
	static UNetClockWaitForStart* WaitForStart(const UObject* WorldContextObject);

	/** The start begins. Gives how late this frame is, and its error bound, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Started;

	/** The start was cancelled, Cancel was called, or there is no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Cancelled;

	/** Ends the wait through the pin Cancelled. Does nothing if the wait has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start",
		meta = (DisplayName = "Cancel Wait For Start", Keywords = "countdown together race music"))
	void Cancel();

	virtual void Activate() override;

private:
	void OnEnded(ENetClockStartEnd End);
	void OnWaited(const FNetClockWaited& Waited);
	void EndAs(const FNetClockStartPin& Pin, double LatenessMs, double ErrorBoundMs);

	TWeakObjectPtr<UNetClockStart> Start;
	TWeakObjectPtr<UNetClockWaits> Waits;
	FNetClockWaitHandle Wait;
	FDelegateHandle EndedHandle;
	bool bEnded = false;
};
