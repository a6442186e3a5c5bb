// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "NetClockWaitUntil.generated.h"

class UObject;

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
	 * Ticks. It continues once, in the first frame that reaches the instant. If the instant has passed
	 * already, it continues in the next frame.
	 *
	 * @param ServerTicks The instant, in ticks of 100 ns of the server's time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait Until Server Time (ticks)", Keywords = "delay timer until server time sync"))
	static UNetClockWaitUntil* WaitUntilServerTime(const UObject* WorldContextObject, int64 ServerTicks);

	/**
	 * Continues when the server's world time reaches an instant, in seconds as from Get Server World Time
	 * Seconds. It continues once, in the first frame that reaches the instant. If the instant has passed
	 * already, it continues in the next frame.
	 *
	 * @param WorldSeconds The instant, in seconds of the server's world time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait Until Server World Time (s)", Keywords = "delay timer until server time sync"))
	static UNetClockWaitUntil* WaitUntilServerWorldTime(
		const UObject* WorldContextObject, double WorldSeconds);

	/**
	 * Continues after a delay of the server's real time, which runs on through pauses and slow motion. If the
	 * server's time is not known yet, the delay begins when it is. It continues once, in the first frame
	 * after the delay.
	 *
	 * @param DelaySeconds The delay, in seconds. 0 or less: it continues in the next frame.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait Server Delay (s)", Keywords = "delay timer until server time sync"))
	static UNetClockWaitUntil* WaitServerDelay(const UObject* WorldContextObject, double DelaySeconds);

	/** The time reached the instant. Gives how late this frame is, and its error bound, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Reached;

	/** The instant will not come: Cancel was called, the server changed, the time is not a number, or there
	 * is no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Wait")
	FNetClockWaitPin Cancelled;

	/** Ends the wait through the pin Cancelled. Does nothing if the wait has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Wait", meta = (DisplayName = "Cancel Wait", Keywords = "delay timer until server time sync"))
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
