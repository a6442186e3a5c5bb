// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockOrder.generated.h"

class APlayerController;
class UObject;

/** The order of two events. */
UENUM(BlueprintType)
enum class ENetClockOrder : uint8
{
	/** The events are too close to decide with the requested confidence. */
	TooClose,
	/** The first event came first. */
	Before,
	/** The second event came first. */
	After
};

/** Why the server changed a player's claim. */
UENUM(BlueprintType)
enum class ENetClockRewindLimit : uint8
{
	/** The claim was plausible and was not changed. */
	None,
	/** The claim was later than its own arrival. */
	Arrival,
	/** The claim was earlier than the player's connection can explain. */
	Path,
	/** The claim was further back than the game allows. */
	MaxRewind
};

/** When an event happened, measured by the clock of the machine where it happened, with that clock's error.
 * Pass it along in calls. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStamp
{
	GENERATED_BODY()

	/** The server time, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	int64 ServerTicks = 0;

	/** The error bound: the true server time was within this many ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The expected error: one standard deviation, in ms. Huge if it is unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ExpectedErrorMs = NetClock::UnknownMs;
};

/** The instant that a player saw when it acted, or the nearest plausible one if its claim is not
 * plausible. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockRewind
{
	GENERATED_BODY()

	/** The instant to rewind to, in ticks of 100 ns of the server time. Get World Time At converts it to
	 * world time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	int64 TargetTicks = 0;

	/** How far TargetTicks is before the arrival, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double BackMs = 0.0;

	/** How much later TargetTicks is than the player claimed, in ms. Negative if it is earlier. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double MovedMs = 0.0;

	/** Why the claim was changed. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	ENetClockRewindLimit Limit = ENetClockRewindLimit::None;

	/** When the player acted, with error bounds, for Compare Event Times. It does not rely on anything that
	 * the player reports about its clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	FNetClockStamp Acted;
};

/** Finds the order of events, and the instant that a player saw. It also measures how far to predict ahead,
 * and how far in the past to show other players. */
UCLASS()
class NETCLOCKGAME_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Returns the time of this frame with its error bounds. Send it with the event. It is exact on the
	 * server. Until the clock is synced its bounds are huge, and the node logs a warning once. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", Keywords = "rewind lag compensation prediction"))
	static FNetClockStamp GetEventStamp(const UObject* WorldContextObject);

	/**
	 * Decides which of two events came first, and computes the probability that the first event did. Returns
	 * false if a stamp or the confidence is out of range.
	 *
	 * @param First The stamp of one event.
	 * @param Second The stamp of the other event.
	 * @param bSameClock True if one machine stamped both events.
	 * @param Confidence The probability that a decision requires, from 0.5 to 1. At 0.5, everything except a
	 * tie is decided. At 1, only what is proven is decided.
	 * @param Order The order, if it can be decided.
	 * @param Probability The probability that the first event came first.
	 * @param bProven True if the error bounds prove the order, whatever the network did.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock,
		double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);

	/**
	 * Server: finds the instant that a player saw when it acted. Call it in the call that reports the action,
	 * because the arrival is stamped here. If the player's connection cannot explain the claim, the nearest
	 * plausible instant is used. Returns false, with the time of arrival, if the server has not measured the
	 * connection yet, or if this is a client.
	 *
	 * @param Player The controller of the player who makes the claim, on the server.
	 * @param ClaimedTicks The server time that the player's frame showed, in ticks of 100 ns.
	 * @param InterpolationMs How far behind that time the player's machine shows other players, in ms.
	 * @param JitterMs How much slower than the fastest message a message may be, in ms, including the waits
	 * for frames.
	 * @param MaxRewindMs The largest total rewind, in ms. 0 stands for 250.
	 * @param Rewind The instant, and what limited it.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs,
		double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * Returns how far to predict ahead of the shown server time, in ms, so that the server handles messages
	 * from this frame in time. InTimeShare is the share of messages for which this holds. Zero on a server.
	 * Huge until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * Returns the downlink delay, in ms: how much older than the shown server time a message from the server
	 * is when this client handles it. A share InTimeShare of all messages has at most this delay, which
	 * includes waiting for the next frame. Zero on a server. Huge until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Downlink Delay (ms)",
		Keywords = "rewind lag compensation latency ping one way"))
	static double GetDownlinkDelayMs(const UObject* WorldContextObject);

	/**
	 * Returns how far behind the shown server time to show other players, in ms, so that there are two states
	 * to interpolate between. This is the downlink delay plus the interval between two states. InTimeShare is
	 * the share of frames for which it is enough. Huge until it is known.
	 *
	 * @param SendIntervalMs The time between two states that the server sends, in ms.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
