// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "Start/NetClockStart.h"
#include "Wait/NetClockWaits.h"
#include "NetClockWaitForStart.generated.h"

class UObject;

/** How late the start is, and what the clock's bound is; zero and huge if there is none. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartPin, double, LatenessMs, double, ErrorBoundMs);

/**
 * The Blueprint node that waits for a start, on any machine. UNetClockStart makes it; in C++ bind to its OnStart. When the
 * world ends, neither pin is called.
 */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCK_API UNetClockWaitForStart : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/** Goes on when the next start begins on this machine; if one has begun already, in the next frame. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait For Start"))
	static UNetClockWaitForStart* WaitForStart(const UObject* WorldContextObject);

	/** The start is now: how far this frame is past it, and how far off that can be, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Started;

	/** The start was taken back, Cancel was called, or there is no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Cancelled;

	/** Ends the wait, by its pin Cancelled. Does nothing if it has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start")
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
