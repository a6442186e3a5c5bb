// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "Clock/NetClockTypes.h"
#include "NetClockBlueprintLibrary.generated.h"

class UObject;

/**
 * For games that carry requests and replies by a transport of their own: three functions in ticks of 100 ns on the
 * client, and the server's answer. They drive the same clock as the component does, so that a game uses the one or the
 * other, or both.
 */
UCLASS()
class NETCLOCK_API UNetClockBlueprintLibrary : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Client: makes a request to be sent to the server at once. False on a machine that is no client. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Transport", meta = (WorldContext = "WorldContextObject"))
	static bool MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request);

	/** Client: learns from a reply that has just arrived. False if it was refused. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Transport", meta = (WorldContext = "WorldContextObject"))
	static bool HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply);

	/**
	 * The server's real time at this very moment, in ticks of 100 ns; zero until synced. Unlike the subsystem's it is not
	 * the same for all readers within a frame.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Transport", meta = (WorldContext = "WorldContextObject"))
	static int64 GetCurrentServerTimeTicks(const UObject* WorldContextObject);

	/** Server: the reply to a request that was received at ReceivedTicks, to be sent at once. False if there is none. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Transport", meta = (WorldContext = "WorldContextObject"))
	static bool AnswerClockRequest(const UObject* WorldContextObject, const FNetClockRequest& Request, int64 ReceivedTicks, FNetClockReply& Reply);

	/** This machine's monotonic real clock in ticks of 100 ns: for the stamp of a request's arrival. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Transport")
	static int64 GetLocalClockTicks();
};
