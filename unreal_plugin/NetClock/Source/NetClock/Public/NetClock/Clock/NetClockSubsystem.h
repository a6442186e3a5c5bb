// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include <atomic>
#include "NetClock/World/NetClockWorldTypes.h"
#include "NetClockSubsystem.generated.h"

struct FNetClockIncident;

namespace netclock
{
	class guest;
}

/** The clock is synced for the first time on this connection. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockSynced);
/** The clock jumped by JumpMs, or may be wrong until the next reply. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockDiscontinuity, ENetClockCause, Cause, double, JumpMs);
/** The clock is less accurate than it should be, or (None) good again. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockDegraded, ENetClockDegradation, Degradation);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockIncidents, const FNetClockIncident&);

/**
 * The clock of one world: the server's time, and how good it is. It is read once at the start of each frame,
 * so every reader within a frame gets the same value.
 *
 * On a server, and in a game without one, the time is this machine's own and exact. A client is unsynced
 * until the first reply arrives, a moment after joining. After travel, the time is there from the new world's
 * BeginPlay on.
 */
UCLASS()
class NETCLOCK_API UNetClockSubsystem : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** The clock of the world that an object belongs to, or null. */
	static UNetClockSubsystem* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;
	virtual void OnWorldBeginPlay(UWorld& InWorld) override;

	/** The server's real time, in ticks of 100 ns. The server chooses its origin. Zero until synced. */
	int64 GetServerTimeTicks() const { return Status.ServerTicks; }

	/** The server's real time, in seconds. It does not pause and is not dilated. Zero until synced. */
	double GetServerRealTimeSeconds() const;

	/** True if the server time is known. */
	bool IsSynced() const { return Status.bIsSynced; }

	/** How far the clock can be trusted. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Clock", meta = (Keywords = "ping sync ntp latency"))
	ENetClockState GetState() const { return Status.State; }

	/** How good the clock is. */
	ENetClockQuality GetQuality() const;

	/** Error bound: the true server time is within this many ms. Huge if there is no bound. */
	double GetErrorBoundMs() const { return Status.ErrorBoundMs; }

	/** Expected error: one standard deviation, in ms. Huge if it is not known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Clock",
		meta = (DisplayName = "Get Expected Error (ms)", Keywords = "ping sync ntp latency"))
	double GetExpectedErrorMs() const { return Status.ExpectedErrorMs; }

	/** Smallest recent round trip, in ms: the network, and what the frames of both machines add. Huge until
	 * synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Clock",
		meta = (DisplayName = "Get Round Trip (ms)", Keywords = "ping sync ntp latency"))
	double GetRoundTripMs() const { return Status.RoundTripMs; }

	/** Rate of the server's clock relative to this machine's, in ppm. Positive: the server's runs faster. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Clock",
		meta = (DisplayName = "Get Frequency (ppm)", Keywords = "ping sync ntp latency"))
	double GetFrequencyPpm() const { return Status.FrequencyPpm; }

	/** Everything that the clock shows in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Clock", meta = (Keywords = "ping sync ntp latency"))
	FNetClockStatus GetStatus() const { return Status; }

	/**
	 * Client: steps the clock to its best estimate now, instead of slewing it there over seconds. Call it
	 * when a jump costs nothing, such as when your loading screen ends: who downloaded while joining has
	 * replies that waited in a queue. When a world begins to play, corrections of 20 ms and more are stepped
	 * by themselves. OnDiscontinuity reports a step as Requested. Returns the step in ms, or zero.
	 *
	 * @param LeastMs A smaller correction is not stepped, in ms.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Clock",
		meta = (DisplayName = "Step To Best Estimate (ms)", Keywords = "loading jump join sync ntp"))
	double StepToBestEstimateMs(double LeastMs = 1.0);

	/**
	 * Time since a server time, in seconds. Negative if it lies in the future. Zero until synced.
	 *
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 */
	double GetAgeSeconds(int64 ServerTicks) const;

	/**
	 * The value that GetServerWorldTimeSeconds() of a game state must return: the server's world time if it
	 * is known, otherwise the engine's value. It is never less than in an earlier frame.
	 */
	double ShowWorldTime(double EngineSeconds) const;

	/** True if the game state shows NetClock's world time, false if it shows the engine's. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (Keywords = "pause dilation slow motion sync"))
	bool IsWorldTimeKnown() const;

	/**
	 * Error bound of the world time, in ms. It holds even if the server just paused or dilated, and this
	 * machine cannot know yet. Huge while the engine's world time is shown.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get World Time Error Bound (ms)",
		Keywords = "pause dilation slow motion sync"))
	double GetWorldTimeErrorBoundMs() const;

	/** Error bound of the world time, in ms, if the server has not paused or dilated since this machine last
	 * heard from it. */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get World Time Error Bound If Unchanged (ms)",
		Keywords = "pause dilation slow motion sync"))
	double GetWorldTimeErrorBoundIfUnchangedMs() const;

	/**
	 * Everything that one clock of the server's world shows in this frame.
	 *
	 * @param Clock Which clock of the server's world.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (Keywords = "pause dilation slow motion sync"))
	FNetClockWorldReading GetWorldReading(ENetClockWorldClock Clock) const;

	/**
	 * The time of a world clock at a server time, in seconds. For a future server time it assumes that
	 * nothing changes. False if it is not known.
	 *
	 * @param Clock Which clock of the server's world.
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 * @param Seconds What the clock shows then, in seconds.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get World Time At (s)", Keywords = "pause dilation slow motion sync"))
	bool GetWorldTimeAt(ENetClockWorldClock Clock, int64 ServerTicks, double& Seconds) const;

	/**
	 * The server time, in ticks, at which a world clock showed, or will show, that time. The future assumes
	 * that nothing changes. False if it is not known.
	 *
	 * @param Clock Which clock of the server's world.
	 * @param Seconds A time of that clock, in seconds.
	 * @param ServerTicks The server time, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get Server Time Of World Time (ticks)",
		Keywords = "pause dilation slow motion sync"))
	bool GetServerTimeOfWorldTime(ENetClockWorldClock Clock, double Seconds, int64& ServerTicks) const;

	/**
	 * World time since a server world time, in seconds. Negative if it lies in the future.
	 *
	 * @param WorldSeconds A server world time, in seconds.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get Age Of World Time (s)", Keywords = "pause dilation slow motion sync"))
	double GetAgeOfWorldTimeSeconds(double WorldSeconds) const;

	/**
	 * World time since a server time, in seconds. Use it for how far a projectile has flown since the shot:
	 * it includes pauses and slow motion. Zero if it is not known.
	 *
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get World Time Since Server Time (s)",
		Keywords = "pause dilation slow motion sync"))
	double GetWorldTimeSinceSeconds(int64 ServerTicks) const;

	/** This machine's monotonic clock when the status was read, at the start of the frame, in ticks of 100
	 * ns. */
	int64 GetFrameTicks() const { return FrameTicks; }

	/** When the previous frame began to read packets, by this machine's clock, in ticks. What is read in this
	 * frame arrived later. Zero in the world's first frame. */
	int64 GetPreviousPollTicks() const { return PreviousPollTicks; }

	/** The clock is synced for the first time on this connection. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockSynced OnSynced;

	/** The clock jumped, or may be wrong until the next reply. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockDiscontinuity OnDiscontinuity;

	/** The clock is less accurate than it should be, or good again. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockDegraded OnDegraded;

	/** Client: everything that the events above say, and what other modules report. For tools that show
	 * it. */
	FNetClockIncidents OnIncident;

	/** Client: true while its world is the one in which the server is, as far as is known. */
	bool IsInServersWorld() const { return bInServersWorld; }

	/** Server, end of the frame: publishes the clocks of this world. */
	void PublishWorld();

	/** Client, end of the frame: what was shown cannot be taken back. */
	void KeepShown();

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void ReadClock(bool bIsFrame);
	void ReadOwnClock();
	void ReadClient(bool bIsFrame);
	void OnForeground();
	bool MayHaveMissedTime();
	void BroadcastEvents();
	/** To tools first, then by the event of its kind. */
	void Tell(const FNetClockIncident& Incident);
	void TellDiscontinuity(ENetClockCause Cause, double JumpMs);
	void LogSynced() const;
	void PlaceWorldTime();
	void PlayReplay();
	bool IsWorldTimeShown() const;
	double GetHeldBackMs(const FNetClockWorldReading& Reading) const;
	bool IsOfThisWorld(uint32 World, int64 ServerEpoch);
	/** What knows past times of the world. May be null. */
	const netclock::guest* GetReader() const;

	FNetClockStatus Status;
	int64 FrameTicks = 0;
	/** The starts of this frame and the previous one; zero before the world's frames. */
	int64 PollTicks = 0;
	int64 PreviousPollTicks = 0;
	bool bReportNewConnection = false;
	/** This world was a client's when its clock was last read. */
	bool bReadClient = false;

	/** The application returned to the foreground since the last frame. Set on any thread. */
	std::atomic<bool> bForeground{false};
	/** How far the calendar was ahead of this machine's clock in the previous frame, in ticks; zero
	 * before. */
	int64 CalendarAheadTicks = 0;

	/** Client: what each clock of the server's world shows in this frame. */
	FNetClockWorldReading Shown[3];
	/** Server: the world of the host that has begun with this one. */
	int32 PublishedGeneration = 0;
	/** Server: the world's clocks, with more digits where the engine's times are floats, and the frame before
	 * this one. */
	double Refined[3] = {};
	int64 PublishedTicks = 0;
	/** Client: the number of this world at the server. Zero: not known. */
	uint32 WorldNumber = 0;
	int64 WorldServerEpoch = 0;
	bool bInServersWorld = false;
	/** The setting, as readers on other threads may see it. */
	bool bShowsWorldTime = true;
	/** When this world began here, and when the next world was first heard of, in ticks of this machine's
	 * clock. */
	int64 BegunTicks = 0;
	int64 NextWorldTicks = 0;
	/** Replay: reads what was recorded, and what it read last. */
	TSharedPtr<netclock::guest> Replay;
	TArray<uint8> ReplayBlob;
	double ReplaySeconds = 0.0;
	/** Epoch of the world time in the last frame. */
	int32 WorldEpoch = 0;
	/** Jumps of the world time that were not reported yet, in ms. */
	double WorldJumpMs = 0.0;
	/** The largest world time that was shown before this frame, or is known in it. Readers write nothing, so
	 * that any thread may be one. */
	double ShownSeconds = -1.0e300;

	FDelegateHandle TickStartHandle;
	FDelegateHandle ForegroundHandle;
};
