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
	/** The events are too close together to determine their order with the requested confidence. */
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
	/** The claim was plausible and has not been changed. */
	None,
	/** The claimed time was later than the arrival of the claim. */
	Arrival,
	/** The claimed time was too early for the player's network path. */
	Path,
	/** The claimed time was more than MaxRewindMs in the past. */
	MaxRewind
};

/** The time of an event, as measured by the machine on which it happened, and the error of that machine's
 * clock. Send this timestamp with your RPCs. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStamp
{
	GENERATED_BODY()

	/** The server time, in ticks of 100 ns, or zero until the clock is synced. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	int64 ServerTicks = 0;

	/** The maximum difference from the true server time, in ms, or a huge value if there is no bound. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The standard deviation of the error, in ms, or a huge value if it is unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ExpectedErrorMs = NetClock::UnknownMs;
};

/** The instant that a player saw on their screen when they acted, or the nearest plausible instant if the
 * player's claim is implausible. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockRewind
{
	GENERATED_BODY()

	/** The server time to rewind to, in ticks of 100 ns. Get World Time At converts this time to world
	 * time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	int64 TargetTicks = 0;

	/** The time from TargetTicks to the arrival of the claim, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double BackMs = 0.0;

	/** TargetTicks minus the time that the player claimed, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double MovedMs = 0.0;

	/** Why the claim was changed. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	ENetClockRewindLimit Limit = ENetClockRewindLimit::None;

	/** The time of the player's action, with error bounds, for Compare Event Times. This time does not rely
	 * on what the player's machine reports about its clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	FNetClockStamp Acted;
};

/** Determines the order of events and the instant that a player saw. This class also measures how far ahead
 * to predict, and how far in the past to show other players. */
UCLASS()
class NETCLOCKGAME_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** Returns the time of the current frame with its error bounds. Send the timestamp along with the event.
	 * The time is exact on the server. Until the clock is synced, the bounds are huge and the node logs a
	 * warning once. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", Keywords = "rewind lag compensation prediction"))
	static FNetClockStamp GetEventStamp(const UObject* WorldContextObject);

	/**
	 * Decides which of two events came first, and computes the probability that First came before Second.
	 * Returns false if a timestamp or the confidence is out of range.
	 *
	 * @param First The timestamp of one event.
	 * @param Second The timestamp of the other event.
	 * @param bSameClock True if the same machine timestamped both events.
	 * @param Confidence The probability required to decide on an order, from 0.5 to 1. At 0.5, only a tie is
	 * undecided. At 1, the order must be proven.
	 * @param Order The order of the events, or Too Close if it cannot be decided.
	 * @param Probability The probability that First came before Second.
	 * @param bProven True if the error bounds prove the order, regardless of the network.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock,
		double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);

	/**
	 * Server: finds the instant that a player saw on their screen when they acted. Call this inside the RPC
	 * that reports the action, because it timestamps the arrival. If the claim is impossible for the player's
	 * network path, the result is the nearest plausible instant. On a client, or if the server has not
	 * measured the path yet, returns false and sets Rewind to the time of arrival.
	 *
	 * @param Player The player's controller, on the server.
	 * @param ClaimedTicks The server time that the player's machine displayed, in ticks of 100 ns.
	 * @param InterpolationMs How far in the past the player's machine shows other players, in ms.
	 * @param JitterMs How much longer a message may take than the fastest one, in ms, including the time
	 * spent waiting for frames.
	 * @param MaxRewindMs The maximum total rewind, in ms. 0 means 250.
	 * @param Rewind The instant, and why the claim was changed if it was.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs,
		double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * Returns how far to predict ahead of the displayed server time, in ms, so that a fraction InTimeShare of
	 * this frame's messages reaches the server in time. The result is zero on a server. The result is huge
	 * until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * Returns the downlink delay, in ms. By the displayed server time, a fraction InTimeShare of the server's
	 * messages is at most this old when this client handles them. The delay includes the wait for the next
	 * frame. The result is zero on a server. The result is huge until it is known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Downlink Delay (ms)",
		Keywords = "rewind lag compensation latency ping one way"))
	static double GetDownlinkDelayMs(const UObject* WorldContextObject);

	/**
	 * Returns how far behind the displayed server time to show other players, in ms, so that there are always
	 * two states to interpolate between. This is the downlink delay plus the interval between two states. It
	 * is long enough in a fraction InTimeShare of all frames. The result is huge until it is known.
	 *
	 * @param SendIntervalMs The time between two states that the server sends, in ms.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
