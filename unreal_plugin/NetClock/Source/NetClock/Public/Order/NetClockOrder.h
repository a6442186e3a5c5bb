// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "Clock/NetClockTypes.h"
#include "NetClockOrder.generated.h"

class APlayerController;
class UObject;

/** Which of two events came first. */
UENUM(BlueprintType)
enum class ENetClockOrder : uint8
{
	/** Nobody can say with the confidence that was asked for. */
	TooClose,
	/** The first. */
	Before,
	/** The second. */
	After
};

/** What a player's claim was held to. */
UENUM(BlueprintType)
enum class ENetClockRewindLimit : uint8
{
	/** It was plausible: nothing was moved. */
	None,
	/** It was later than its own arrival. */
	Arrival,
	/** It was earlier than the player's connection explains. */
	Path,
	/** It was further back than the game allows. */
	MaxRewind
};

/** When something happened, by the clock of the machine where it did, and how good that clock was. To be sent along in calls. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockStamp
{
	GENERATED_BODY()

	/** The server's real time, in ticks of 100 ns. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	int64 ServerTicks = 0;

	/** The true server time was within this, in ms. Huge if nothing can be promised. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected size of the error, one standard deviation, in ms. Huge if nothing is known. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock|Order")
	double ExpectedErrorMs = NetClock::UnknownMs;
};

/** What a player saw when it acted, as far as that is plausible. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockRewind
{
	GENERATED_BODY()

	/** The instant to go back to: the server's real time, in ticks of 100 ns. Get World Time At gives its world time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	int64 TargetTicks = 0;

	/** How far back that is from the arrival, in ms. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double BackMs = 0.0;

	/** How much later it is than the player asked for, in ms; negative: earlier. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	double MovedMs = 0.0;

	/** What moved it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	ENetClockRewindLimit Limit = ENetClockRewindLimit::None;

	/** When the player acted, as far as that is plausible, and within what: for Compare Event Times. It believes nothing that the player says of its clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock|Order")
	FNetClockStamp Acted;
};

/** Who was first, what a player saw, how far ahead to predict and how far behind to show others. */
UCLASS()
class NETCLOCK_API UNetClockOrder : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** This frame's time with its errors: to be sent with what happens in it. Exact on the server. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order", meta = (WorldContext = "WorldContextObject"))
	static FNetClockStamp GetEventStamp(const UObject* WorldContextObject);

	/**
	 * Says which of two events came first, and the probability that the first did. Proven: whatever the networks did. Else a
	 * verdict needs that much Confidence: from 0.5, which decides all but ties, to 1, which leaves all that is not proven too
	 * close to call. Same Clock: both stamps are one machine's. False if a stamp or the confidence makes no sense.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order")
	static bool CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock, double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);

	/**
	 * Server, in the call by which a player says that it acted: the instant that it saw, by the time that its frame showed.
	 * InterpolationMs is how far behind that time it shows others; JitterMs how much longer than its quickest message one may
	 * take, frames included; MaxRewindMs how far back the game goes at most, all included (zero: 250). What the player's connection, as the server
	 * measures it, cannot explain is moved to what it can. False if nothing is known of the connection: then it is now.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Order")
	static bool GetRewindTime(const APlayerController* Player, int64 ClaimedTicks, double InterpolationMs, double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind);

	/**
	 * How far ahead of the server's time that a frame shows to predict, in ms: what is sent in the frame is handled before that
	 * is there, for the share of messages that the project's settings ask for. Zero where nothing is sent; huge until known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Prediction Lead (ms)"))
	static double GetPredictionLeadMs(const UObject* WorldContextObject);

	/**
	 * How far behind the server's time that a frame shows to show others, in ms: with the share of the project's settings
	 * there are two of their states to show them between. SendIntervalMs is the time between two states. Huge until known.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Order", meta = (WorldContext = "WorldContextObject", DisplayName = "Suggest Interpolation Delay (ms)"))
	static double SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs);
};
