// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Clock/NetClockTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockSubsystem.generated.h"

class APlayerController;
class FNetClockGraph;
class FNetClockWorldClocks;
class UCanvas;
class UNetClockComponent;
class UNetClockHandover;
class UNetClockSession;

/** The clock is synced for the first time on this connection. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockSynced);
/** The clock jumped by JumpMs, or may be wrong until the next reply. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockDiscontinuity, ENetClockCause, Cause, double, JumpMs);
/** The clock is less good than it should be, or (None) good again. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockDegraded, ENetClockDegradation, Degradation);
/** Messages of a direction typically take AfterMs now, in place of BeforeMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(FNetClockLatencyChanged, ENetClockDirection, Direction, double, BeforeMs, double, AfterMs);
/** Server: something was found about a player's clock. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockSuspected, APlayerController*, Player, FNetClockVerdict, Verdict);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockSegmentsChanged, const FNetClockWorldSegments&);

/**
 * The clock of one world: what time it is on the server, and how well that is known. It is read once at the start of
 * each frame, so that all who ask within a frame get the same answer.
 *
 * On a server, and in a game without one, the time is this machine's own and exact. On a client it is unsynced until
 * the first reply, a moment after joining. In a world that was travelled to it is there from its BeginPlay on.
 */
UCLASS()
class NETCLOCK_API UNetClockSubsystem : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;
	virtual void OnWorldBeginPlay(UWorld& InWorld) override;

	/** The server's real time in ticks of 100 ns; zero until synced. Its origin is the server's own. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	int64 GetServerTimeTicks() const { return Status.ServerTicks; }

	/** The server's real time in seconds; zero until synced. It does not pause and is not dilated. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	double GetServerRealTimeSeconds() const;

	/** True if there is a server time to show. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	bool IsSynced() const { return Status.bIsSynced; }

	/** How far the clock can be trusted. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	ENetClockState GetState() const { return Status.State; }

	/** How good it is, in a word. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	ENetClockQuality GetQuality() const;

	/** The true server time is within this, in ms. Huge if nothing can be promised. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get Error Bound (ms)"))
	double GetErrorBoundMs() const { return Status.ErrorBoundMs; }

	/** Expected size of the error, one standard deviation, in ms. Huge if nothing is known. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get Expected Error (ms)"))
	double GetExpectedErrorMs() const { return Status.ExpectedErrorMs; }

	/** Smallest recent round trip, in ms: the network and what both frames add. Huge until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get Round Trip (ms)"))
	double GetRoundTripMs() const { return Status.RoundTripMs; }

	/** Rate of the server's clock against this one's, in ppm; positive: the server's runs faster. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get Frequency (ppm)"))
	double GetFrequencyPpm() const { return Status.FrequencyPpm; }

	/** All of it at once, of this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	FNetClockStatus GetStatus() const { return Status; }

	/** How long ago, in seconds, a server time was: negative if it is to come. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get Age Of Server Time (s)"))
	double GetAgeSeconds(int64 ServerTicks) const;

	/**
	 * What GetServerWorldTimeSeconds() of a game state is to return: the server's world time if it is known, else what
	 * the engine says, and never less than in an earlier frame.
	 */
	double ShowWorldTime(double EngineSeconds) const;

	/** True if the world time is this plugin's, false if it is the engine's own. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World")
	bool IsWorldTimeKnown() const;

	/**
	 * The server's world time shown in this frame is within this, in ms, also if it was just paused or dilated and
	 * nobody here can know yet. Huge while the engine's is shown.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get World Time Error Bound (ms)"))
	double GetWorldTimeErrorBoundMs() const;

	/** The same, if nothing was paused or dilated since the server was last heard, in ms. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get World Time Error Bound If Unchanged (ms)"))
	double GetWorldTimeErrorBoundIfUnchangedMs() const;

	/** All that a clock of the server's world says in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World")
	FNetClockWorldReading GetWorldReading(ENetClockWorldClock Clock) const;

	/** What a clock of the server's world said, in seconds, at a server time in ticks, or will say if nothing changes. False if that is not known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get World Time At (s)"))
	bool GetWorldTimeAt(ENetClockWorldClock Clock, int64 ServerTicks, double& Seconds) const;

	/** The server time, in ticks, at which a clock of its world said that, or will say it if nothing changes. False if that is not known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get Server Time Of World Time (ticks)"))
	bool GetServerTimeOfWorldTime(ENetClockWorldClock Clock, double Seconds, int64& ServerTicks) const;

	/** How long ago, in seconds of world time, GetServerWorldTimeSeconds() was that on the server: negative if it is to come. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get Age Of World Time (s)"))
	double GetAgeOfWorldTimeSeconds(double WorldSeconds) const;

	/**
	 * How much world time has passed, in seconds, since a server time in ticks: how far a projectile that was fired then
	 * has come, in spite of pauses and slow motion since. Zero if that is not known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World", meta = (DisplayName = "Get World Time Since Server Time (s)"))
	double GetWorldTimeSinceSeconds(int64 ServerTicks) const;

	/**
	 * Client: how fast the local avatar should play in this frame so that a change of latency is not seen: 1 as a rule, 0.9 at
	 * least while a longer way is hidden, 1.1 at most for a shorter one. Multiply the frame's time by it.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Latency")
	double GetSuggestedSpeedScale() const { return SpeedScale; }

	/**
	 * Client: by how much more than the time that passed the avatar should have played since the clock began, in ms; negative:
	 * less. Its difference between two frames is exactly what the speed scale stands for, however long frames are.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Latency", meta = (DisplayName = "Get Suggested Speed Shift (ms)"))
	double GetSuggestedSpeedShiftMs() const { return SpeedShiftMs; }

	/** This machine's monotonic clock at the start of the frame, in ticks of 100 ns: what the status belongs to. */
	int64 GetFrameTicks() const { return FrameTicks; }

	/** Server: how many probes were answered in the newest frame, and how many dropped as too many. */
	int32 GetAnsweredInFrame() const { return AnsweredInFrame; }
	int32 GetDroppedInFrame() const { return DroppedInFrame; }

	/** The clock is synced for the first time on this connection. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock")
	FNetClockSynced OnSynced;

	/** The clock jumped, or may be wrong until the next reply. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock")
	FNetClockDiscontinuity OnDiscontinuity;

	/** The clock is less good than it should be, or good again. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock")
	FNetClockDegraded OnDegraded;

	/** Client: the delays of a direction became others, and stayed so. Found within seconds; jitter and loss do not raise it. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Latency")
	FNetClockLatencyChanged OnLatencyChanged;

	/**
	 * Server: a player's clock was found to run fast or slow, or to have been set: likely or proven, again for each
	 * finding. Delay, loss and stalls alone do not raise it.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Players")
	FNetClockSuspected OnPlayerClockSuspected;

	/** Server: what is thought of a player's clock, with the evidence. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Players")
	FNetClockVerdict GetPlayerVerdict(const APlayerController* Player) const;

	/**
	 * Server: what is heard of a player's clock in the next seconds is no evidence, and what was found in the last minute
	 * is dropped. For machines that sleep by the game's leave.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Players", meta = (DisplayName = "Excuse Player Clock (s)"))
	void ExcusePlayerClockSeconds(APlayerController* Player, double Seconds);

	/** Server: what is to be replicated, and who hears when it changes. For game states. */
	FNetClockWorldSegments GetServerSegments() const;
	FNetClockSegmentsChanged OnServerSegmentsChanged;

	/** Client: what the server's game state has replicated. */
	void SetServerSegments(const FNetClockWorldSegments& Segments);

	/** The newest segment of one clock, and how many there were. For the component, which brings them to clients. */
	FNetClockWorldSegment GetServerSegment(ENetClockWorldClock Clock) const;
	FNetClockWorldKnowledge GetWorldKnowledge() const;

	/** Client: a segment that arrived. One of a world that this game has left is dropped. */
	void LearnSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** Client: that was all that the server had published at one of its real times, in ticks. */
	void ConfirmSegments(const FNetClockWorldKnowledge& Published, int64 Epoch, int64 ServerTicks);

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void ReadClock();
	void ReadOwnClock();
	void ReadClient();
	void TellDecision();
	void TellEvents();
	void TellLatency();
	void PlaceWorldTime();
	uint32 PublishOwnWorld();
	void AskServer();
	void ServePlayers(uint32 ChangedClocks);
	void PlayReplay();
	bool IsWorldTimeShown() const;
	bool IsOfThisWorld(const FNetClockWorldSegment& Segment);
	void ShowFrame();
	void DrawGraph(UCanvas* Canvas, APlayerController* Player);
	UNetClockSession* GetSession() const;
	UNetClockHandover* GetHandover() const;

	FNetClockStatus Status;
	int64 FrameTicks = 0;
	double SpeedScale = 1.0;
	double SpeedShiftMs = 0.0;
	bool bTellNewConnection = false;
	int32 AnsweredInFrame = 0;
	int32 DroppedInFrame = 0;

	TSharedPtr<FNetClockWorldClocks> WorldClocks;
	/** When this world began here, and when the server was first heard to be in the next, in ticks of this machine's clock. */
	int64 BegunTicks = 0;
	int64 NextWorldTicks = 0;
	/** The world time's, as it was shown in the last frame. */
	int32 WorldEpoch = 0;
	/** By how much the world time leapt since that was told, in ms. */
	double WorldJumpMs = 0.0;
	/** The largest world time shown so far. */
	mutable double ShownSeconds = -1.0e300;

	FDelegateHandle TickStartHandle;
	FDelegateHandle PostActorTickHandle;

	/** For debugging; null in Shipping builds. */
	TSharedPtr<FNetClockGraph> Graph;
	FDelegateHandle DrawHandle;
};
