// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include <atomic>
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockSubsystem.generated.h"

class AGameStateBase;
class UNetClockComponent;
class UWorld;

namespace netclock
{
	class guest;
}

/** The clock has synced for the first time on this connection. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE(FNetClockSynced);
/** The clock has jumped by JumpMs, or may be wrong until the next reply. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockDiscontinuity, ENetClockCause, Cause, double, JumpMs);
/** The clock has become less accurate than it should be. None means that the clock has recovered. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockDegraded, ENetClockDegradation, Degradation);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockIncidents, const FNetClockIncident&);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockFrameEnded, UWorld*);
DECLARE_MULTICAST_DELEGATE_TwoParams(FNetClockReporting, const UWorld*, TArray<FString>& /*Lines*/);

/**
 * Provides the server's time and its accuracy in one world. The clock is read once at the start of each
 * frame, so all calls within a frame return the same value. At the end of each frame, clients send their
 * pending datagrams to the server, and the server to its players.
 *
 * On a server and in games without one, the time is exact because it is this machine's own clock. A client
 * syncs when its first reply arrives, shortly after it joins. After travel, the time is available from
 * BeginPlay of the new world.
 *
 * The functions that return the server time and the world time only read. Other threads can call them, except
 * while the game thread starts a frame. Call all other functions on the game thread.
 */
UCLASS()
class NETCLOCK_API UNetClockSubsystem : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the clock of the object's world, or null. */
	static UNetClockSubsystem* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;
	virtual void OnWorldBeginPlay(UWorld& InWorld) override;

	/** See the nodes with the same names in UNetClockNodes. */
	int64 GetServerTimeTicks() const { return SharedTicks; }
	double GetServerTimeSeconds() const { return NetClock::TicksToSeconds(SharedTicks); }
	bool IsSynced() const { return Status.bIsSynced; }
	const FNetClockStatus& GetStatus() const { return Status; }
	bool GetAgeOfServerTime(int64 ServerTicks, double& AgeSeconds) const;

	/**
	 * Client: steps the clock to its best estimate instead of slewing it there over several seconds. Call
	 * this when a jump does no harm, for example at the end of a loading screen, during which replies may
	 * have been queued behind a download. Corrections of 20 ms or more are stepped automatically when a world
	 * begins play. On Discontinuity is called with the cause Requested. Returns the size of the step in ms,
	 * or zero if there was none.
	 *
	 * @param LeastMs The smallest correction that the clock steps, in ms.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Clock",
		meta = (DisplayName = "Step To Best Estimate (ms)", Keywords = "loading jump join sync ntp"))
	double StepToBestEstimateMs(double LeastMs = 1.0);

	/** Returns the value that a game state's GetServerWorldTimeSeconds() should return. This is the server's
	 * world time if it is known, and the engine's value otherwise. In a live game, it never decreases from
	 * one frame to the next, except at a discontinuity. */
	double ShowWorldTime(const AGameStateBase& State, double EngineSeconds) const;

	/** Returns true if the game state reports NetClock's world time, and false if it reports the engine's. */
	bool IsWorldTimeKnown() const;

	/** Returns the error bound of the game state's world time, in ms. The bound is huge while the game state
	 * returns the engine's world time. */
	double GetWorldTimeErrorBoundMs() const;

	/**
	 * Returns this frame's reading of one of the server's world clocks.
	 *
	 * @param Clock Which of the server's world clocks to use.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (Keywords = "pause dilation slow motion sync bound"))
	FNetClockWorldReading GetWorldReading(ENetClockWorldClock Clock) const;

	/**
	 * Converts a server time to the time on a world clock. For future times, the node assumes that the
	 * clock's rate stays the same. Returns false if the result is unknown.
	 *
	 * @param Clock Which of the server's world clocks to use.
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 * @param Seconds The time on that clock, in seconds.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get World Time At (s)", Keywords = "pause dilation slow motion sync"))
	bool GetWorldTimeAt(ENetClockWorldClock Clock, int64 ServerTicks, double& Seconds) const;

	/**
	 * Converts a time on a world clock to the server time. For future times, the node assumes that the
	 * clock's rate stays the same. Returns false if the result is unknown.
	 *
	 * @param Clock Which of the server's world clocks to use.
	 * @param Seconds A time on that clock, in seconds.
	 * @param ServerTicks The server time, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (DisplayName = "Get Server Time Of World Time (ticks)",
		Keywords = "pause dilation slow motion sync"))
	bool GetServerTimeOfWorldTime(ENetClockWorldClock Clock, double Seconds, int64& ServerTicks) const;

	/**
	 * Computes how much world time has passed since a given server world time. Returns false while the
	 * server's world time is unknown. Check the return value before you use AgeSeconds to decide whether
	 * something is new or has expired.
	 *
	 * @param WorldSeconds A server world time, in seconds.
	 * @param AgeSeconds The world time since WorldSeconds, in seconds. The age is negative if WorldSeconds
	 * lies in the future.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|World Time",
		meta = (Keywords = "pause dilation slow motion sync stamp since"))
	bool GetAgeOfWorldTime(double WorldSeconds, double& AgeSeconds) const;

	/** Return when this frame began, and the earliest time at which its packets can have arrived, both in
	 * ticks of this machine's clock. The arrival time is zero in a world's first frame and once actors
	 * tick. */
	int64 GetFrameTicks() const { return FrameTicks; }
	int64 GetPreviousPollTicks() const { return PreviousPollTicks; }

	/** Called when the clock syncs for the first time on a connection. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockSynced OnSynced;

	/** Called when the clock has jumped or may be wrong until the next reply. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockDiscontinuity OnDiscontinuity;

	/** Called when the clock becomes less accurate than it should be, and again when it recovers. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Clock")
	FNetClockDegraded OnDegraded;

	/** Client: broadcasts the events above and those of other modules. Only tools need this delegate. */
	FNetClockIncidents OnIncident;

	/** Called at the end of each world's frame, before and after datagrams are sent. */
	static FNetClockFrameEnded OnFrameEnding;
	static FNetClockFrameEnded OnFrameEnded;

	/** Called when a tool prints a world's status, so that other modules can add lines. */
	static FNetClockReporting OnReporting;

	/** Client: returns true if this machine's world is the server's current world, as far as the client
	 * knows. */
	bool IsInServersWorld() const { return bInServersWorld; }

private:
	virtual void BeforeActors() override;
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void AttendPlayers();
	void SendToServer();
	void SendToPlayers();
	void PublishWorld();
	void ReadClock(bool bIsFrame);
	void ReadOwnClock();
	void ReadClient(bool bIsFrame);
	void OnForeground();
	void BroadcastEvents();
	void Report(const FNetClockIncident& Incident);
	void PlaceWorldTime();
	void PlayReplay();
	bool IsOfThisWorld(uint32 World, int64 ServerEpoch);
	/** Returns the guest that stores the world's time history. May be null. */
	const netclock::guest* GetReader() const;

	FNetClockStatus Status;
	int64 FrameTicks = 0;
	/** When this frame and the previous frame started, or zero before the world's first frame. */
	int64 PollTicks = 0;
	int64 PreviousPollTicks = 0;
	bool bReportNewConnection = false;
	/** Whether this was a client's world when its clock was last read. */
	bool bReadClient = false;
	/** Whether the application has returned to the foreground since the last frame. Any thread may set this
	 * flag.
	 * */
	std::atomic<bool> bForeground{false};
	/** Client: this frame's readings of the server's world clocks. */
	FNetClockWorldReading Shown[3];
	/** Server: the generation of the host to which this world's clocks were last reported. */
	int32 PublishedGeneration = 0;
	/** Client: the server's number for this world. */
	uint32 WorldNumber = 0;
	int64 WorldServerEpoch = 0;
	bool bInServersWorld = false;
	/** When this world began on this machine, and when the server's next world was first reported (both in
	 * ticks of this machine's clock). */
	int64 BegunTicks = 0;
	int64 NextWorldTicks = 0;
	/** For replays, the reader of the recorded blobs, the last blob, and the world time of the last frame. */
	TSharedPtr<netclock::guest> Replay;
	TArray<uint8> ReplayBlob;
	double ReplaySeconds = 0.0;
	/** The epoch of the world time in the last frame. */
	int32 WorldEpoch = 0;
	/** Jumps of the world time that have not been reported yet, in ms. */
	double WorldJumpMs = 0.0;
	/** The latest displayed world time, whether it is NetClock's, and the server time. Other threads may read
	 * these values. */
	std::atomic<double> ShownSeconds{-1.0e300};
	std::atomic<bool> bShownIsKnown{false};
	std::atomic<int64> SharedTicks{0};

	FDelegateHandle TickStartHandle;
	FDelegateHandle PostActorTickHandle;
	FDelegateHandle ForegroundHandle;
};
