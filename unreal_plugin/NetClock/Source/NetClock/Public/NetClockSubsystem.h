// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "NetClockTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockSubsystem.generated.h"

class APlayerController;
class FNetClockGraph;
class UCanvas;
class UNetClockComponent;
class UNetClockSession;

/** The clock is synced for the first time on this connection. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockSynced);
/** The clock jumped by JumpMs, or may be wrong until the next reply. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockDiscontinuity, ENetClockCause, Cause, double, JumpMs);
/** The clock is less good than it should be, or (None) good again. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockDegraded, ENetClockDegradation, Degradation);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockSegmentChanged, const FNetClockWorldSegment&);

/**
 * The clock of one world: what time it is on the server, and how well that is known. It is read once at the start of
 * each frame, so that all who ask within a frame get the same answer.
 *
 * On a server, and in a game without one, the time is this machine's own and exact. On a client it is unsynced until
 * the first reply, a moment after joining.
 */
UCLASS()
class NETCLOCK_API UNetClockSubsystem : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

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

	/** The world time shown in this frame is within this of the server's, in ms. Huge while the engine's is shown. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (DisplayName = "Get World Time Error Bound (ms)"))
	double GetWorldTimeErrorBoundMs() const;

	/** True if the world time is this plugin's, false if it is the engine's own. */
	UFUNCTION(BlueprintPure, Category = "NetClock")
	bool IsWorldTimeKnown() const { return bWorldKnown; }

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

	/** Server: the segment to replicate, and who hears of a new one. For game states. */
	const FNetClockWorldSegment& GetServerSegment() const { return Segment; }
	FNetClockSegmentChanged OnServerSegmentChanged;

	/** Client: what the server's game state has replicated. */
	void SetServerSegment(const FNetClockWorldSegment& NewSegment);

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void ReadOwnClock();
	void ReadClient();
	void TellEvents();
	void PlaceWorldTime();
	void FollowOwnWorld();
	void ServePlayers();
	void ShowFrame();
	void DrawGraph(UCanvas* Canvas, APlayerController* Player);
	UNetClockSession* GetSession() const;

	FNetClockStatus Status;
	int64 FrameTicks = 0;
	int32 AnsweredInFrame = 0;
	int32 DroppedInFrame = 0;

	/** On a server what is published, on a client what was. */
	FNetClockWorldSegment Segment;
	/** World minus real time of the newest frames, in seconds; the server's. */
	TArray<double> RecentOffsets;
	int32 NextOffset = 0;

	/** The server's world time of this frame, on a client that knows it. */
	bool bWorldKnown = false;
	double WorldSeconds = 0.0;
	double HeldMs = 0.0;
	/** The largest world time shown so far. */
	mutable double ShownSeconds = -1.0e300;

	FDelegateHandle TickStartHandle;
	FDelegateHandle PostActorTickHandle;

	/** For debugging; null in Shipping builds. */
	TSharedPtr<FNetClockGraph> Graph;
	FDelegateHandle DrawHandle;
};
