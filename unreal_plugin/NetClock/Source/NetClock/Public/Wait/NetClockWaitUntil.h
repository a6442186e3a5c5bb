// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "Wait/NetClockWaits.h"
#include "NetClockWaitUntil.generated.h"

class UObject;

/** How late the wait ended, and what the clock's bound was then; zero and huge if the instant was not reached. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockWaitPin, double, LatenessMs, double, ErrorBoundMs);

/**
 * The Blueprint nodes that wait for an instant of the server's time. UNetClockWaits decides when it is there; in C++ use
 * that. When the world ends, neither pin is called.
 */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCK_API UNetClockWaitUntil : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/**
	 * Goes on when the server's real time reaches an instant, in ticks of 100 ns as of Get Server Time Ticks: once, in the
	 * first frame that shows it; if it has passed already, in the next frame.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait Until Server Time (ticks)"))
	static UNetClockWaitUntil* WaitUntilServerTime(const UObject* WorldContextObject, int64 ServerTicks);

	/**
	 * Goes on when the server's world time reaches an instant, in seconds as of Get Server World Time Seconds: once, in
	 * the first frame that shows it; if it has passed already, in the next frame.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait Until Server World Time (s)"))
	static UNetClockWaitUntil* WaitUntilServerWorldTime(const UObject* WorldContextObject, double WorldSeconds);

	/** The instant is there: how far the time shown is past it, and how far off that time can be, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock")
	FNetClockWaitPin Reached;

	/** The instant will not be there: Cancel was called, the server is another one, or this is no time or no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock")
	FNetClockWaitPin Cancelled;

	/** Ends the wait, by its pin Cancelled. Does nothing if it has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock")
	void Cancel();

	virtual void Activate() override;

private:
	static UNetClockWaitUntil* Make(const UObject* WorldContextObject);
	void OnWaited(const FNetClockWaited& Waited);
	void EndAs(const FNetClockWaitPin& Pin, double LatenessMs, double ErrorBoundMs);

	TWeakObjectPtr<UNetClockWaits> Waits;
	FNetClockWaitHandle Handle;
	bool bOfWorld = false;
	int64 Ticks = 0;
	double Seconds = 0.0;
	bool bEnded = false;
};
