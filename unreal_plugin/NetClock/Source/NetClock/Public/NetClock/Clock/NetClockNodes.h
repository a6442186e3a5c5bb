// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "Misc/DateTime.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockNodes.generated.h"

class UObject;

/**
 * The most common Blueprint nodes of the clock. They need no subsystem, only an object in a game world. A
 * node that is called where there is no game world, or that needs a synced clock before there is one, logs a
 * warning once.
 */
UCLASS()
class NETCLOCK_API UNetClockNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Returns true if the server time is known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency"))
	static bool IsServerTimeSynced(const UObject* WorldContextObject);

	/** Returns everything that the clock shows in this frame: its time, its state and quality, the error
	 * bound, the expected error, the round-trip time and the frequency. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject",
		Keywords = "ping sync ntp latency quality error bound round trip"))
	static FNetClockStatus GetClockStatus(const UObject* WorldContextObject);

	/** Returns the server time, in seconds. It neither pauses nor dilates. Zero until the clock is synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (s)",
		Keywords = "ping sync ntp latency real"))
	static double GetServerTimeSeconds(const UObject* WorldContextObject);

	/** Returns the server time, in ticks of 100 ns, which can be sent, compared and subtracted without
	 * rounding. Zero until the clock is synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (ticks)",
		Keywords = "ping sync ntp latency real"))
	static int64 GetServerTimeTicks(const UObject* WorldContextObject);

	/** Returns the server's world time, in seconds, as the game state shows it. Zero while there is no game
	 * state. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server World Time (s)",
		Keywords = "ping sync ntp latency"))
	static double GetServerWorldTimeSeconds(const UObject* WorldContextObject);

	/**
	 * Finds how much time has passed since a given server time. Returns false until the clock is synced.
	 * Check the return value before you treat something as new or expired, because the age is unknown until
	 * then.
	 *
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 * @param AgeSeconds The time since then, in seconds. Negative if it lies in the future.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency stamp since"))
	static bool GetAgeOfServerTime(const UObject* WorldContextObject, int64 ServerTicks, double& AgeSeconds);

	/**
	 * Finds the server's UTC, for daily resets and dated events. Returns false if it is unknown. The server
	 * reads its machine's UTC, which may jump when somebody sets it. It contains no leap seconds. Show it to
	 * players, but measure durations with the server time.
	 *
	 * @param Utc Date and time in UTC.
	 * @param ErrorBoundMs The error bound: true UTC is within this many ms of Utc, if the server's time
	 * source is right. Huge if the server has not stated the error of its UTC.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server UTC",
		Keywords = "date daily reset event calendar"))
	static bool GetServerUtc(const UObject* WorldContextObject, FDateTime& Utc, double& ErrorBoundMs);

	/**
	 * Finds the server time at which the server's UTC reaches a date. Returns false if it is unknown. Pass
	 * the result to Wait Until Server Time, and repeat both when On Server Utc Changed is called.
	 *
	 * @param Utc A date and time in UTC, not before 1970.
	 * @param ServerTicks The server time at that date, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Of UTC (ticks)",
		Keywords = "date daily reset event calendar"))
	static bool GetServerTimeOfUtc(const UObject* WorldContextObject, FDateTime Utc, int64& ServerTicks);

	/**
	 * Converts seconds to ticks of 100 ns, rounding towards zero. Returns 0 for a value that is not a number,
	 * and the largest number of ticks for a value that is too large.
	 *
	 * @param Seconds A time or a duration, in seconds.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static int64 SecondsToTicks(double Seconds);

	/**
	 * Converts ticks of 100 ns to seconds.
	 *
	 * @param Ticks A time or a duration, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static double TicksToSeconds(int64 Ticks);
};

/**
 * The exchange for games with their own transport. Times are in ticks of 100 ns. These functions use the same
 * clock as the component, so a game can use either of them, or both.
 */
UCLASS()
class NETCLOCK_API UNetClockBlueprintLibrary : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/**
	 * Client: creates a request. Send it to the server immediately. Returns false if this machine is not a
	 * client.
	 *
	 * @param Request The request to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request);

	/**
	 * Client: passes a reply to the clock. Call it as soon as the reply arrives, because its arrival is
	 * stamped here. Returns false if the clock rejects the reply.
	 *
	 * @param Reply The reply that arrived.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply);

	/**
	 * Server: creates the reply to a request. Send it immediately. Returns false if this machine is a client,
	 * or has no time to serve yet.
	 *
	 * @param Request The request that arrived.
	 * @param ReceivedTicks The result of Get Local Clock (ticks) when the request arrived.
	 * @param Reply The reply to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool AnswerClockRequest(const UObject* WorldContextObject, const FNetClockRequest& Request,
		int64 ReceivedTicks, FNetClockReply& Reply);

	/** Reads this machine's monotonic real clock, in ticks of 100 ns. Call it when a request arrives. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (DisplayName = "Get Local Clock (ticks)", Keywords = "request reply ping ntp"))
	static int64 GetLocalClockTicks();

	/** Returns the current server time, in ticks of 100 ns. Unlike the time of the frame, it advances within
	 * a frame. Zero until the clock is synced. */
	static int64 GetServerTimeWithinFrameTicks(const UObject* WorldContextObject);
};
