// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "Misc/DateTime.h"
#include "Misc/Timespan.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockNodes.generated.h"

class UObject;

/**
 * The clock for Blueprints: the most common nodes, without a subsystem. UNetClockSubsystem has the others.
 * Where there is no game, as in the editor's own world, the nodes return what an unsynced clock returns.
 */
UCLASS()
class NETCLOCK_API UNetClockNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** True if the server time is known. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency"))
	static bool IsServerTimeSynced(const UObject* WorldContextObject);

	/** How good the clock is. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", Keywords = "ping sync ntp latency"))
	static ENetClockQuality GetClockQuality(const UObject* WorldContextObject);

	/** The server's real time, in seconds. It does not pause and is not dilated. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Real Time (s)",
		Keywords = "ping sync ntp latency"))
	static double GetServerRealTimeSeconds(const UObject* WorldContextObject);

	/** The server's real time, in ticks of 100 ns. Send, compare and subtract it without rounding. Zero until
	 * synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (ticks)",
		Keywords = "ping sync ntp latency"))
	static int64 GetServerTimeTicks(const UObject* WorldContextObject);

	/** The server's world time, in seconds, as the game state returns it. Zero while there is no game
	 * state. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server World Time (s)",
		Keywords = "ping sync ntp latency"))
	static double GetServerWorldTimeSeconds(const UObject* WorldContextObject);

	/** Error bound: the true server time is within this many ms. Huge if there is no bound. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Error Bound (ms)",
		Keywords = "ping sync ntp latency"))
	static double GetServerTimeErrorBoundMs(const UObject* WorldContextObject);

	/**
	 * Time since a server time, in seconds. Negative if it lies in the future. Zero until synced.
	 *
	 * @param ServerTicks A server time, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server Time",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Age Of Server Time Stamp (s)",
		Keywords = "ping sync ntp latency"))
	static double GetServerTimeAgeSeconds(const UObject* WorldContextObject, int64 ServerTicks);

	/**
	 * The server's UTC, for daily resets and dated events. It is the server's claim, and may jump when
	 * somebody sets the UTC of the server's machine. There are no leap seconds in it. Show it to players;
	 * measure durations with the server time. False if it is unknown.
	 *
	 * @param Utc Date and time in UTC, without a time zone.
	 * @param ErrorBoundMs True UTC is within this many ms, if the server's source of time is right. Huge if
	 * nobody states it.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server UTC",
		Keywords = "date daily reset event calendar"))
	static bool GetServerUtc(const UObject* WorldContextObject, FDateTime& Utc, double& ErrorBoundMs);

	/**
	 * How long it is until the server's UTC reads a date, for example the next daily reset. Negative if that
	 * has passed. False if it is unknown.
	 *
	 * @param Utc The date and time to wait for, in UTC.
	 * @param Remaining The time until then. Negative: the time since then.
	 * @param ErrorBoundMs Remaining is right within this many ms. Huge if nobody states how good the server's
	 * UTC is.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Time Until Server UTC",
		Keywords = "date daily reset event calendar"))
	static bool GetTimeUntilServerUtc(
		const UObject* WorldContextObject, FDateTime Utc, FTimespan& Remaining, double& ErrorBoundMs);

	/**
	 * The server time at which the server's UTC reads a date. Use it with Wait Until Server Time, and again
	 * when OnServerUtcChanged of the NetClock Utc subsystem is called. False if it is unknown.
	 *
	 * @param Utc A date and time in UTC.
	 * @param ServerTicks The server time then, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Of UTC (ticks)",
		Keywords = "date daily reset event calendar"))
	static bool GetServerTimeOfUtc(const UObject* WorldContextObject, FDateTime Utc, int64& ServerTicks);

	/**
	 * Converts seconds to ticks of 100 ns, and drops what is less than a tick. What is no number gives 0.
	 * What is too large for the type gives its largest number.
	 *
	 * @param Seconds A time or a span, in seconds.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static int64 SecondsToTicks(double Seconds);

	/**
	 * Converts ticks of 100 ns to seconds.
	 *
	 * @param Ticks A time or a span, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static double TicksToSeconds(int64 Ticks);

	/**
	 * Converts a time span to ticks of 100 ns, exactly.
	 *
	 * @param Timespan A span, as the engine's own nodes have it.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static int64 TimespanToTicks(FTimespan Timespan);

	/**
	 * Converts ticks of 100 ns to a time span, exactly. The engine's own nodes show it as hours, minutes and
	 * seconds.
	 *
	 * @param Ticks A span, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Units",
		meta = (Keywords = "convert seconds ticks timespan"))
	static FTimespan TicksToTimespan(int64 Ticks);
};

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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request);

	/**
	 * Client: learns from a reply. Call it as soon as the reply arrives. False if the clock refused it.
	 *
	 * @param Reply The reply as it arrived.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply);

	/**
	 * The server's real time at this very moment, in ticks of 100 ns. Zero until synced. Unlike Get
	 * Server Time (ticks), it advances within a frame.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Within Frame (ticks)",
		Keywords = "request reply ping ntp"))
	static int64 GetServerTimeWithinFrameTicks(const UObject* WorldContextObject);

	/**
	 * Server: makes the reply to a request that arrived at ReceivedTicks of the local clock. Send it at once.
	 * False if there is none.
	 *
	 * @param Request The request as it arrived.
	 * @param ReceivedTicks Get Local Clock Ticks at its arrival.
	 * @param Reply The reply to send.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Own Transport",
		meta = (WorldContext = "WorldContextObject", Keywords = "request reply ping ntp"))
	static bool AnswerClockRequest(const UObject* WorldContextObject, const FNetClockRequest& Request,
		int64 ReceivedTicks, FNetClockReply& Reply);

	/** This machine's monotonic real clock, in ticks of 100 ns. Use it to stamp the arrival of a request. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Own Transport",
		meta = (Keywords = "request reply ping ntp"))
	static int64 GetLocalClockTicks();
};
