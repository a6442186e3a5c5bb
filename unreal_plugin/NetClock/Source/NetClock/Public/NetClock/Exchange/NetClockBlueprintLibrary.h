// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClockBlueprintLibrary.generated.h"

class UObject;

/**
 * The exchange for games with a transport of their own: three functions on the client, and the server's
 * answer. Times are in ticks of 100 ns. They use the same clock as the component, so a game can use either,
 * or both.
 */
UCLASS()
class NETCLOCK_API UNetClockBlueprintLibrary : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/**
	 * Client: makes a request. Send it to the server at once. False if this machine is not a client.
	 *
	 * @param Request The request to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport", meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping sync ntp transport"))
	static bool MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request);

	/**
	 * Client: learns from a reply. Call it as soon as the reply arrives. False if the clock refused it.
	 *
	 * @param Reply The reply as it arrived.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport", meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping sync ntp transport"))
	static bool HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply);

	/**
	 * The server's real time at this very moment, in ticks of 100 ns. Zero until synced. Unlike the
	 * subsystem's time, it advances within a frame.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Own Transport", meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping sync ntp transport"))
	static int64 GetCurrentServerTimeTicks(const UObject* WorldContextObject);

	/**
	 * Server: makes the reply to a request that arrived at ReceivedTicks of the local clock. Send it at once.
	 * False if there is none.
	 *
	 * @param Request The request as it arrived.
	 * @param ReceivedTicks Get Local Clock Ticks at its arrival.
	 * @param Reply The reply to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport", meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping sync ntp transport"))
	static bool AnswerClockRequest(const UObject* WorldContextObject, const FNetClockRequest& Request,
		int64 ReceivedTicks, FNetClockReply& Reply);

	/** This machine's monotonic real clock, in ticks of 100 ns. Use it to stamp the arrival of a request. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Own Transport", meta = (Keywords = "request reply ping sync ntp transport"))
	static int64 GetLocalClockTicks();
};
