// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintAsyncActionBase.h"
#include "NetClock/Start/NetClockStart.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "NetClockWaitForStart.generated.h"

class UObject;

/** How late the start is, and the error bound of the clock, both in ms. Zero and huge if there is no
 * start. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockStartPin, double, LatenessMs, double, ErrorBoundMs);

/**
 * The Blueprint node that waits for a start, on any machine. In C++, bind to OnStart of UNetClockStart. When
 * the world ends, it calls neither pin.
 */
UCLASS(BlueprintType, meta = (ExposedAsyncProxy = "Wait"))
class NETCLOCK_API UNetClockWaitForStart : public UBlueprintAsyncActionBase
{
	GENERATED_BODY()

public:
	/** Continues when the next start begins on this machine. If one has begun already, it continues in the
	 * next frame. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (BlueprintInternalUseOnly = "true", WorldContext = "WorldContextObject", DisplayName = "Wait For Start", Keywords = "countdown begin together race music sync beat"))
	static UNetClockWaitForStart* WaitForStart(const UObject* WorldContextObject);

	/** The start begins. Gives how late this frame is, and its error bound, in ms. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Started;

	/** The start was cancelled, Cancel was called, or there is no game. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Start")
	FNetClockStartPin Cancelled;

	/** Ends the wait through the pin Cancelled. Does nothing if the wait has ended. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Start", meta = (DisplayName = "Cancel Wait For Start", Keywords = "countdown begin together race music sync beat"))
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
