// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClock/Order/NetClockOrderTypes.h"
#include "NetClockOrder.generated.h"

class APlayerController;
class UObject;

/** Decides who was first and what a player saw. Suggests how far ahead to predict, and how far behind to show
 * others. */
UCLASS()
class NETCLOCK_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** The time of this frame with its error bounds. Send it with what happens in the frame. Exact on the
	 * server. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction", meta = (WorldContext = "WorldContextObject", Keywords = "first rewind lag compensation prediction latency"))
	static FNetClockStamp GetEventStamp(const UObject* WorldContextObject);

	/**
	 * Decides which of two events came first, and how probable it is that the first did. bProven: it holds
	 * whatever the network did. Otherwise the decision needs a probability of at least Confidence, from 0.5
	 * to 1. 0.5 decides everything except ties, 1 only what is proven. bSameClock: both stamps come from one
	 * machine. False if a stamp or the confidence is out of range.
	 *
	 * @param First The stamp of one event.
	 * @param Second The stamp of the other event.
	 * @param bSameClock On: one machine stamped both events.
	 * @param Confidence Probability that a decision needs, from 0.5 to 1.
	 * @param Order Which was first, if it can be decided.
	 * @param Probability Probability that the first event was first.
	 * @param bProven On: the bounds prove the order.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction", meta = (Keywords = "first rewind lag compensation prediction latency"))
	static bool CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock,
		double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);

	/**
	 * Server, in the call that reports a player's action: finds the instant that the player saw. ClaimedTicks
	 * is the time that the player's frame showed. InterpolationMs is how far behind that time it shows
	 * others. JitterMs is how much longer than its fastest message a message may take, frames included.
	 * MaxRewindMs is the largest rewind, all included (zero: 250). If the player's connection cannot explain
	 * the claim, the nearest plausible instant is used. False if the server knows nothing of the connection:
	 * the result is then the time of arrival.
	 *
	 * @param Player The player who claims, on the server.
	 * @param ClaimedTicks When the player says it happened, in ticks of 100 ns of the server's time.
	 * @param InterpolationMs How far behind the player shows others, in ms.
	 * @param JitterMs How much longer than its fastest a message may take, in ms, frames included.
	 * @param MaxRewindMs The largest rewind, in ms, all included. 0: 250.
	 * @param Rewind When to judge it, and what limited it.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction", meta = (Keywords = "first rewind lag compensation prediction latency"))
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs,
		double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * How far to predict ahead of the server time that a frame shows, in ms. The server then handles what you
	 * send in this frame in time, for the share of messages in the project settings. Zero on a server; huge
	 * until known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)", Keywords = "first rewind lag compensation prediction latency"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * How far to show others behind the server time that a frame shows, in ms. For the share of frames in the
	 * project settings there are then two states to interpolate between. SendIntervalMs is the time between
	 * two states, in ms. Huge until known.
	 *
	 * @param SendIntervalMs Time between two states that the server sends, in ms.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction", meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)", Keywords = "first rewind lag compensation prediction latency"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
