// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockUnits.h"
#include "CoreMinimal.h"
#include "NetClockOrderTypes.generated.h"

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
struct NETCLOCK_API FNetClockStamp
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
struct NETCLOCK_API FNetClockRewind
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
