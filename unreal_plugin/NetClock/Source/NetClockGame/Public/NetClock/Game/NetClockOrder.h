// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockOrder.generated.h"

class APlayerController;
class UObject;

/** Which of two events came first. */
UENUM(BlueprintType)
enum class ENetClockOrder : uint8
{
	/** Too close to decide with the confidence that you asked for. */
	TooClose,
	/** The first event. */
	Before,
	/** The second event. */
	After
};

/** Why the server changed a player's claim. */
UENUM(BlueprintType)
enum class ENetClockRewindLimit : uint8
{
	/** The claim was plausible and stayed as it was. */
	None,
	/** The claim was later than its own arrival. */
	Arrival,
	/** The claim was earlier than the player's connection explains. */
	Path,
	/** The claim was further back than the game allows. */
	MaxRewind
};

/** When an event happened, by the clock of the machine where it happened, and how good that clock was. Send
 * it along in calls. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockStamp
{
	GENERATED_BODY()

	/** The server's real time, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	int64 ServerTicks = 0;

	/** Error bound: the true server time was within this many ms. Huge if there is no bound. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error: one standard deviation, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ExpectedErrorMs = NetClock::UnknownMs;
};

/** What a player saw when it acted, as far as its claim is plausible. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockRewind
{
	GENERATED_BODY()

	/** The instant to rewind to: the server's real time, in ticks of 100 ns. Get World Time At converts it to
	 * world time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	int64 TargetTicks = 0;

	/** How far TargetTicks is before the arrival, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double BackMs = 0.0;

	/** How much later TargetTicks is than the player claimed, in ms. Negative: earlier. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double MovedMs = 0.0;

	/** Why the claim was changed. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	ENetClockRewindLimit Limit = ENetClockRewindLimit::None;

	/** When the player acted, with error bounds, for Compare Event Times. It relies on nothing that the
	 * player says about its clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	FNetClockStamp Acted;
};

/** Decides who was first and what a player saw. Suggests how far ahead to predict, and how far behind to show
 * others. */
UCLASS()
class NETCLOCKGAME_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** The time of this frame with its error bounds. Send it with what happens in the frame. Exact on the
	 * server. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", Keywords = "rewind lag compensation prediction"))
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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order And Prediction",
		meta = (Keywords = "rewind lag compensation prediction"))
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs,
		double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * How far to predict ahead of the server time that a frame shows, in ms. The server then handles what you
	 * send in this frame in time, for the share of messages in the project settings. Zero on a server; huge
	 * until known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * How far to show others behind the server time that a frame shows, in ms. For the share of frames in the
	 * project settings there are then two states to interpolate between. SendIntervalMs is the time between
	 * two states, in ms. Huge until known.
	 *
	 * @param SendIntervalMs Time between two states that the server sends, in ms.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order And Prediction",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)",
		Keywords = "rewind lag compensation prediction"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
