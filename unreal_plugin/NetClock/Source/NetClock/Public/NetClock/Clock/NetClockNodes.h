// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockNodes.generated.h"

class UObject;

/** The clock's most common Blueprint nodes. You can call them from any object in a game world. A node logs a
 * warning once if there is no game world, or if it requires a synced clock and the clock is not synced. */
UCLASS()
class NETCLOCK_API UNetClockNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Returns true if the server time is known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency"))
	static bool IsServerTimeSynced(const UObject* WorldContextObject);

	/** Returns the clock's status for the current frame, including its time, state, quality, error bound,
	 * expected error, round-trip time and frequency. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject",
		Keywords = "ping sync ntp latency quality error bound round trip"))
	static FNetClockStatus GetClockStatus(const UObject* WorldContextObject);

	/** Returns the server time, in seconds. This time is not affected by pauses or time dilation. Returns 0
	 * until the clock is synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (s)",
		Keywords = "ping sync ntp latency real"))
	static double GetServerTimeSeconds(const UObject* WorldContextObject);

	/** Returns the server time in ticks of 100 ns, which you can send, compare and subtract without rounding
	 * errors. Returns 0 until the clock is synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (ticks)",
		Keywords = "ping sync ntp latency real"))
	static int64 GetServerTimeTicks(const UObject* WorldContextObject);

	/** Returns the server's world time from the game state, in seconds. Returns 0 if there is no game
	 * state. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server World Time (s)",
		Keywords = "ping sync ntp latency"))
	static double GetServerWorldTimeSeconds(const UObject* WorldContextObject);

	/**
	 * Computes how much time has passed since a given server time. Returns false until the clock is synced.
	 * Check the return value before you use AgeSeconds to decide whether something is new or has expired.
	 *
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 * @param AgeSeconds The time since ServerTicks, in seconds. The age is negative if ServerTicks lies in
	 * the future.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency stamp since"))
	static bool GetAgeOfServerTime(const UObject* WorldContextObject, int64 ServerTicks, double& AgeSeconds);

	/**
	 * Converts seconds to ticks of 100 ns, rounding towards zero. Returns 0 for NaN. Clamps values that do
	 * not fit in 64 bits.
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
