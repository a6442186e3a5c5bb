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
	/** The events are too close to determine their order with the requested confidence. */
	TooClose,
	/** The first event came first. */
	Before,
	/** The second event came first. */
	After
};

/** The reason why the server changed a player's claim. */
UENUM(BlueprintType)
enum class ENetClockRewindLimit : uint8
{
	/** The claim was plausible and was not changed. */
	None,
	/** The claim was later than its arrival. */
	Arrival,
	/** The claim was too early for the player's network path. */
	Path,
	/** The claim was older than MaxRewindMs. */
	MaxRewind
};

/** The time of an event according to the clock of the machine where it happened, with that clock's error.
 * Send it with your RPCs. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStamp
{
	GENERATED_BODY()

	/** The server time, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	int64 ServerTicks = 0;

	/** The maximum difference from the true server time, in ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The standard deviation of the error, in ms. Huge if it is unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ExpectedErrorMs = NetClock::UnknownMs;
};

/** The instant that a player saw when it acted. If the player's claim is implausible, this is the nearest
 * plausible instant. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockRewind
{
	GENERATED_BODY()

	/** The instant to rewind to, in ticks of 100 ns of the server time. Get World Time At converts it to
	 * world time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	int64 TargetTicks = 0;

	/** The time from TargetTicks to the arrival, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double BackMs = 0.0;

	/** TargetTicks minus the instant that the player claimed, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double MovedMs = 0.0;

	/** Why the claim was changed. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	ENetClockRewindLimit Limit = ENetClockRewindLimit::None;

	/** The time of the player's action, with error bounds, for Compare Event Times. It does not depend on the
	 * player's reports about its clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	FNetClockStamp Acted;
};

/** Determines the order of events and the instant that a player saw. Also measures how far ahead to predict
 * and how far in the past to show other players. */
UCLASS()
class NETCLOCKGAME_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Returns the time of this frame with its error bounds. Send it with the event. It is exact on the
	 * server. Until the clock is synced, the bounds are huge and the node logs a warning once. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", Keywords = "rewind lag compensation prediction"))
	static FNetClockStamp GetEventStamp(const UObject* WorldContextObject);

	/**
	 * Decides which of two events came first and computes the probability that the first event did. Returns
	 * false if a stamp or the confidence is out of range.
	 *
	 * @param First The stamp of one event.
	 * @param Second The stamp of the other event.
	 * @param bSameClock True if one machine stamped both events.
	 * @param Confidence The required probability of a decision, from 0.5 to 1. At 0.5, only a tie is
	 * undecided. At 1, a decision requires proof.
	 * @param Order The order, if it can be decided.
	 * @param Probability The probability that the first event came first.
	 * @param bProven True if the error bounds prove the order, regardless of the network.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock,
		double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);

	/**
	 * Server: finds the instant that a player saw when it acted. Call it in the RPC that reports the action,
	 * because it timestamps the arrival. If the claim is impossible for the player's network path, the
	 * nearest plausible instant is used. Returns false and the time of arrival if the server has not measured
	 * the path yet, or on a client.
	 *
	 * @param Player The server's controller of the player who makes the claim.
	 * @param ClaimedTicks The server time that the player's frame showed, in ticks of 100 ns.
	 * @param InterpolationMs How far in the past the player's machine shows other players, in ms.
	 * @param JitterMs The maximum extra delay of a message over the fastest message, in ms, including the
	 * waits for frames.
	 * @param MaxRewindMs The largest total rewind, in ms. 0 means 250.
	 * @param Rewind The instant, and the reason if the claim was changed.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs,
		double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * Returns how far to predict ahead of the shown server time, in ms, so that the server handles a share
	 * InTimeShare of the messages from this frame in time. Zero on a server. Huge until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * Returns the downlink delay, in ms. This is how old, by the shown server time, a share InTimeShare of
	 * the server's messages is at most when this client handles them. It includes the wait for the next
	 * frame. Zero on a server. Huge until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Downlink Delay (ms)",
		Keywords = "rewind lag compensation latency ping one way"))
	static double GetDownlinkDelayMs(const UObject* WorldContextObject);

	/**
	 * Returns how far behind the shown server time to show other players, in ms, so that there are two states
	 * to interpolate between. This is the downlink delay plus the interval between two states, which is
	 * sufficient for a share InTimeShare of the frames. Huge until it is known.
	 *
	 * @param SendIntervalMs The time between two states that the server sends, in ms.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
