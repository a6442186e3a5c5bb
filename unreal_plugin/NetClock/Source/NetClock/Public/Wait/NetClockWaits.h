// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Clock/NetClockTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockWaits.generated.h"

/** How a wait ended. */
enum class ENetClockWaitEnd : uint8
{
	/** The server's time is there. */
	Reached,
	/** The run of the server's clock that the instant belongs to is over: it means nothing any more. */
	OtherServer,
	/** The world ended first. */
	WorldEnd
};

/** The end of a wait. */
struct FNetClockWaited
{
	ENetClockWaitEnd End = ENetClockWaitEnd::Reached;

	/** How far the time that is shown is past the instant, in ms. Zero if it was not reached. */
	double LatenessMs = 0.0;

	/** The true server time is within this of the time that is shown, in ms. Huge if nothing can be promised. */
	double ErrorBoundMs = NetClock::UnknownMs;
};

DECLARE_DELEGATE_OneParam(FNetClockWaitDelegate, const FNetClockWaited&);

/** Names a wait, to cancel it. */
struct FNetClockWaitHandle
{
	bool IsValid() const { return Number != 0; }

private:
	friend class UNetClockWaits;
	int64 Number = 0;
};

/**
 * Waits for instants of the server's time, in C++; UNetClockWaitUntil is the same for Blueprint.
 *
 * A wait ends once: in the first frame whose time is at the instant or past it, before the frame's actors tick, never in
 * the call that asks, and never before the time is shown. Those that end in one frame end in the order of their
 * instants. While the clock is not synced they wait; corrections, steps and holdover change when the instant is there,
 * and nothing else. Nothing runs while nobody waits. On the game thread only.
 */
UCLASS()
class NETCLOCK_API UNetClockWaits : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Waits for a real time of the server, in ticks of 100 ns as of GetServerTimeTicks(). An invalid handle: the world has ended. */
	FNetClockWaitHandle WaitUntilServerTime(int64 ServerTicks, FNetClockWaitDelegate Done);

	/**
	 * Waits for a world time of the server, in seconds as of GetServerWorldTimeSeconds() on the server. It is the engine's
	 * own where the server's is not known; the bound is huge then. An invalid handle: this is no time, or the world has ended.
	 */
	FNetClockWaitHandle WaitUntilServerWorldTime(double WorldSeconds, FNetClockWaitDelegate Done);

	/** Ends a wait; whoever asked does not hear of it. False if it has ended already. */
	bool CancelWait(FNetClockWaitHandle Handle);

	/** How many wait. */
	int32 GetNumWaiting() const { return Waits.Num(); }

	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	struct FWait
	{
		int64 Number = 0;
		bool bOfWorld = false;
		int64 Ticks = 0;
		double WorldSeconds = 0.0;
		/** The run of the server's clock that the ticks belong to; zero until that is known. */
		int64 ServerEpoch = 0;
		FNetClockWaitDelegate Done;
		FNetClockWaited Result;
	};

	/** What a frame shows. */
	struct FShown
	{
		FNetClockStatus Status;
		bool bWorldKnown = false;
		double WorldSeconds = 0.0;
		double WorldBoundMs = NetClock::UnknownMs;
	};

	FNetClockWaitHandle Add(FWait& Wait);
	void OnPreActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	FShown Look() const;
	static bool HasEnded(FWait& Wait, const FShown& Shown);
	void TellEnded();
	void FollowFrames(bool bFollow);

	TArray<FWait> Waits;
	/** Taken out of the above and not told yet. */
	TArray<FWait> Ended;
	int64 LastNumber = 0;
	bool bWorldEnded = false;
	FDelegateHandle PreActorTickHandle;
};
