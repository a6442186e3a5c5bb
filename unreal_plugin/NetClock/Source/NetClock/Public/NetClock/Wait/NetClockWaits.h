// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockWaits.generated.h"

class UObject;

/** How a wait ended. */
enum class ENetClockWaitEnd : uint8
{
	/** The server's time reached the instant. */
	Reached,
	/** The server's clock has a new epoch, so the instant means nothing any more. */
	OtherServer,
	/** The world ended first. */
	WorldEnd
};

/** The end of a wait. */
struct FNetClockWaited
{
	ENetClockWaitEnd End = ENetClockWaitEnd::Reached;

	/** How late the wait ended, in ms: the time of the frame minus the instant. Zero if the instant was not
	 * reached. */
	double LatenessMs = 0.0;

	/** Error bound of the time of the frame, in ms. Huge if there is no bound. */
	double ErrorBoundMs = NetClock::UnknownMs;
};

DECLARE_DELEGATE_OneParam(FNetClockWaitDelegate, const FNetClockWaited&);

/** Identifies a wait, so that you can cancel it. */
struct FNetClockWaitHandle
{
	bool IsValid() const { return Number != 0; }

private:
	friend class UNetClockWaits;
	int64 Number = 0;
};

/**
 * Waits for instants of the server's time, in C++. UNetClockWaitUntil does the same for Blueprint.
 *
 * A wait ends once, in the first frame whose time has reached the instant, before the frame's actors tick. It
 * never ends inside the call that starts it. Waits that end in one frame end in the order of their instants.
 * An unsynced clock does not end waits. Corrections, steps and holdover change only when a wait ends. Nothing
 * runs while there are no waits. Call it on the game thread only.
 */
UCLASS()
class NETCLOCK_API UNetClockWaits : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Waits for a real time of the server, in ticks of 100 ns as from GetServerTimeTicks(). The handle is
	 * invalid if the world has ended. */
	FNetClockWaitHandle WaitUntilServerTime(int64 ServerTicks, FNetClockWaitDelegate Done);

	/**
	 * Waits for a world time of the server, in seconds as from GetServerWorldTimeSeconds() on the server.
	 * Where the server's is not known, the engine's counts, and the bound is huge. The handle is invalid if
	 * the world has ended, or if WorldSeconds is not a number.
	 */
	FNetClockWaitHandle WaitUntilServerWorldTime(double WorldSeconds, FNetClockWaitDelegate Done);

	/** Ends a wait without a call. False if the wait has ended already. */
	bool CancelWait(FNetClockWaitHandle Handle);

	/** Number of waits. */
	int32 GetNumWaiting() const { return Waits.Num(); }

	virtual void Deinitialize() override;

protected:
	void BeforeActors() final;

private:
	struct FWait
	{
		int64 Number = 0;
		bool bOfWorld = false;
		int64 Ticks = 0;
		double WorldSeconds = 0.0;
		/** The epoch of the server's clock that the ticks belong to. Zero until it is known. */
		int64 ServerEpoch = 0;
		FNetClockWaitDelegate Done;
		FNetClockWaited Result;
	};

	/** The times of one frame. */
	struct FShown
	{
		FNetClockStatus Status;
		bool bWorldKnown = false;
		double WorldSeconds = 0.0;
		double WorldBoundMs = NetClock::UnknownMs;
	};

	FNetClockWaitHandle Add(FWait& Wait);
	FShown Look() const;
	static bool HasEnded(FWait& Wait, const FShown& Shown);
	void CallEnded();

	TArray<FWait> Waits;
	/** Waits that ended and whose delegate was not called yet. */
	TArray<FWait> Ended;
	int64 LastNumber = 0;
	bool bWorldEnded = false;
};

/** How late the wait ended, and the error bound of the clock, both in ms. Zero and huge if the instant was
 * not reached. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockWaitPin, double, LatenessMs, double, ErrorBoundMs);

/**
 * The Blueprint nodes that wait for an instant of the server's time. In C++, use UNetClockWaits. When the
 * world ends, they call neither pin.
 */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCK_API UNetClockWaitUntil : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/**
	 * Continues when the server's real time reaches an instant, in ticks of 100 ns as from Get Server Time
	 * (ticks). It continues once, in the first frame that reaches the instant. If the instant has passed
	 * already, it continues in the next frame.
	 *
	 * @param ServerTicks The instant, in ticks of 100 ns of the server's time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Until Server Time (ticks)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitUntilServerTime(const UObject* WorldContextObject, int64 ServerTicks);

	/**
	 * Continues when the server's world time reaches an instant, in seconds as from Get Server World Time
	 * (s). It continues once, in the first frame that reaches the instant. If the instant has passed
	 * already, it continues in the next frame.
	 *
	 * @param WorldSeconds The instant, in seconds of the server's world time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Until Server World Time (s)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitUntilServerWorldTime(
		const UObject* WorldContextObject, double WorldSeconds);

	/**
	 * Continues after a delay of the server's real time, which runs on through pauses and slow motion. If the
	 * server's time is not known yet, the delay begins when it is. It continues once, in the first frame
	 * after the delay.
	 *
	 * @param DelaySeconds The delay, in seconds. 0 or less: it continues in the next frame.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Server Delay (s)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitServerDelay(const UObject* WorldContextObject, double DelaySeconds);

	/** The time reached the instant. Gives how late this frame is, and its error bound, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Reached;

	/** The instant will not come: Cancel was called, the server changed, the time is not a number, or there
	 * is no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Cancelled;

	/** Ends the wait through the pin Cancelled. Does nothing if the wait has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (DisplayName = "Cancel Wait", Keywords = "delay timer sync"))
	void Cancel();

	virtual void Activate() override;

private:
	static UNetClockWaitUntil* Make(const UObject* WorldContextObject);
	FNetClockWaitHandle Begin(UNetClockWaits& Deciding);
	void OnWaited(const FNetClockWaited& Waited);
	void EndAs(const FNetClockWaitPin& Pin, double LatenessMs, double ErrorBoundMs);

	TWeakObjectPtr<UNetClockWaits> Waits;
	FNetClockWaitHandle Handle;
	bool bOfWorld = false;
	/** A delay whose instant is not known yet. */
	bool bDelay = false;
	int64 Ticks = 0;
	double Seconds = 0.0;
	bool bEnded = false;
};
