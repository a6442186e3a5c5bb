// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockWaits.generated.h"

class UObject;

/** What to wait for. */
enum class ENetClockWaitKind : uint8 { Synced, ServerTime, WorldTime, Delay };

/** How a wait ended. OtherServer means that the instant refers to an earlier epoch of the server's clock. */
enum class ENetClockWaitEnd : uint8 { Reached, OtherServer, WorldEnd };

/** The result of a wait. */
struct FNetClockWaited
{
	ENetClockWaitEnd End = ENetClockWaitEnd::Reached;

	/** How late the wait ended, in ms, according to the frame's time, or zero if the instant was not
	 * reached. */
	double LatenessMs = 0.0;

	/** The error bound of the frame's time, in ms, or a huge value if there is no bound. */
	double ErrorBoundMs = NetClock::UnknownMs;
};

DECLARE_DELEGATE_OneParam(FNetClockWaitDelegate, const FNetClockWaited&);

/** Identifies a wait. Pass the handle to CancelWait() to cancel the wait. */
struct FNetClockWaitHandle
{
	bool IsValid() const { return Number != 0; }

private:
	friend class UNetClockWaits;
	int64 Number = 0;
};

/**
 * Waits for instants in server time, from C++. Blueprints use UNetClockWaitUntil instead.
 *
 * A wait ends once, in the first frame whose time has reached the instant, before that frame's actors tick. A
 * wait never ends inside the call that starts it, or while the clock is unsynced. Waits that end in the same
 * frame end in the order of their instants. Use this class on the game thread only.
 */
UCLASS()
class NETCLOCK_API UNetClockWaits : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** See the nodes of UNetClockWaitUntil. The handle is invalid if the world has ended, or if the time is
	 * NaN or infinite. */
	FNetClockWaitHandle WaitUntilSynced(FNetClockWaitDelegate Done)
	{
		return Add(ENetClockWaitKind::Synced, 0, 0.0, MoveTemp(Done));
	}
	FNetClockWaitHandle WaitUntilServerTime(int64 ServerTicks, FNetClockWaitDelegate Done)
	{
		return Add(ENetClockWaitKind::ServerTime, ServerTicks, 0.0, MoveTemp(Done));
	}
	/** If the server's world time can never be known, this uses the engine's world time, with a huge error
	 * bound. */
	FNetClockWaitHandle WaitUntilServerWorldTime(double WorldSeconds, FNetClockWaitDelegate Done)
	{
		return Add(ENetClockWaitKind::WorldTime, 0, WorldSeconds, MoveTemp(Done));
	}
	FNetClockWaitHandle WaitServerDelay(double DelaySeconds, FNetClockWaitDelegate Done)
	{
		return Add(ENetClockWaitKind::Delay, 0, DelaySeconds, MoveTemp(Done));
	}

	/** Cancels a wait without calling its delegate. Returns false if the wait has already ended. */
	bool CancelWait(FNetClockWaitHandle Handle);

	int32 GetNumWaiting() const { return Waits.Num(); }

	virtual void Deinitialize() override;

protected:
	void BeforeActors() final;

private:
	friend class UNetClockWaitUntil;

	struct FWait
	{
		int64 Number = 0;
		ENetClockWaitKind Kind = ENetClockWaitKind::ServerTime;
		/** The instant in server time, in ticks. Other kinds of waits use Seconds instead. */
		int64 Ticks = 0;
		double Seconds = 0.0;
		/** The epoch of the server's clock to which Ticks refers. */
		int64 ServerEpoch = 0;
		FNetClockWaitDelegate Done;
		FNetClockWaited Result;
	};

	FNetClockWaitHandle Add(
		ENetClockWaitKind Kind, int64 Ticks, double Seconds, FNetClockWaitDelegate Done);
	static void StartDelay(FWait& Wait, const FNetClockStatus& Status);
	bool HasEnded(FWait& Wait) const;
	bool HasWorldTimeEnded(FWait& Wait, const FNetClockStatus& Status) const;
	void CallEnded();

	TArray<FWait> Waits;
	/** Waits that have ended, but whose delegates have not been called yet. */
	TArray<FWait> Ended;
	int64 LastNumber = 0;
	bool bWorldEnded = false;
};

/** LatenessMs is how late the wait ended, and ErrorBoundMs is the clock's error bound. If the wait did not
 * reach its instant, LatenessMs is zero and ErrorBoundMs is huge. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockWaitPin, double, LatenessMs, double, ErrorBoundMs);

/** Base class of the Blueprint nodes that wait. If the world ends before the wait does, no output pin is
 * executed. */
UCLASS(Abstract, BlueprintType)
class NETCLOCK_API UNetClockWait : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/** Cancels the wait, so that execution continues from the Cancelled pin of its node. Does nothing if the
	 * wait has already ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (DisplayName = "Cancel Wait", Keywords = "delay timer sync start"))
	void Cancel();

protected:
	/** Prepares a new node for a wait in the object's world. Returns false if no game is running there.
	 * */
	bool Prepare(const UObject* WorldContextObject);

	/** Continues execution from a pin, at most once per node. */
	void EndThrough(const FNetClockWaitPin& Pin, double LatenessMs, double ErrorBoundMs);

	virtual const FNetClockWaitPin& GetCancelledPin() const;

	virtual void StopWaiting();

	TWeakObjectPtr<UNetClockWaits> Waits;
	FNetClockWaitHandle Handle;

private:
	bool bEnded = false;
};

/** The Blueprint nodes that wait for an instant in server time. In C++, use UNetClockWaits. */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCK_API UNetClockWaitUntil : public UNetClockWait
{
	GENERATED_BODY()

public:
	/** Waits until the clock is synced. If the clock is already synced, as on the server, the node continues
	 * in the next frame. This also works for players who join late, and in every world after travel. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		Keywords = "delay timer sync ready join"))
	static UNetClockWaitUntil* WaitUntilSynced(const UObject* WorldContextObject);

	/**
	 * Waits until the server time reaches an instant. The node continues once, in the first frame at or after
	 * the instant. If the instant has already passed, the node continues in the next frame with a synced
	 * clock. Lateness Ms is then the time since the instant.
	 *
	 * @param ServerTicks The instant, in ticks of 100 ns. Compute it from Get Server Time (ticks) while the
	 * clock is synced.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Until Server Time (ticks)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitUntilServerTime(const UObject* WorldContextObject, int64 ServerTicks);

	/**
	 * Waits until the server's world time reaches an instant. The node continues once, in the first frame at
	 * or after the instant. If the instant has already passed, the node continues in the next frame.
	 *
	 * @param WorldSeconds The instant, in seconds, on the same scale as Get Server World Time (s).
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Until Server World Time (s)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitUntilServerWorldTime(
		const UObject* WorldContextObject, double WorldSeconds);

	/**
	 * Waits for a duration in server time, which pauses and slow motion do not affect. The delay starts once
	 * the clock is synced. The node continues once, in the first frame after the delay.
	 *
	 * @param DelaySeconds The delay, in seconds. If the delay is 0 or less, the node continues in the next
	 * frame in which the clock is synced.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait",
		meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject",
		DisplayName = "Wait Server Delay (s)", Keywords = "delay timer sync"))
	static UNetClockWaitUntil* WaitServerDelay(const UObject* WorldContextObject, double DelaySeconds);

	/** Executed when the instant is reached, with the frame's lateness and error bound in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Reached;

	/** Executed if the wait ends early because Cancel Wait was called, the server changed, the time is NaN or
	 * infinite, or no game is running. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Cancelled;

	virtual void Activate() override;

protected:
	virtual const FNetClockWaitPin& GetCancelledPin() const override { return Cancelled; }

private:
	static UNetClockWaitUntil* Make(const UObject* WorldContextObject, ENetClockWaitKind InKind,
		int64 InTicks = 0, double InSeconds = 0.0);
	void OnWaited(const FNetClockWaited& Waited);

	ENetClockWaitKind Kind = ENetClockWaitKind::Synced;
	int64 Ticks = 0;
	double Seconds = 0.0;
};
