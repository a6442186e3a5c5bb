// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockGameSettings.generated.h"

/** The page Project Settings > Plugins > NetClock Game, stored in DefaultGame.ini. Changes in the category
 * Latency take effect with the next connection. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock Game"))
class NETCLOCKGAME_API UNetClockGameSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, all within their ranges. Call it on the game thread. */
	static const UNetClockGameSettings& Get();

	virtual FName GetCategoryName() const override;

	/** The share of messages that should reach the server in time with the prediction lead, and of states
	 * that should arrive within the downlink delay, from 0.5 to 0.99. */
	UPROPERTY(EditAnywhere, Config, Category = "Latency", meta = (ClampMin = "0.5", ClampMax = "0.99"))
	float InTimeShare = 0.95f;

	/** The smallest latency change, in ms, that OnLatencyChanged reports and the speed scale hides. */
	UPROPERTY(EditAnywhere, Config, Category = "Latency",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "ms"))
	float LeastLatencyChangeMs = 20.0f;

	/**
	 * The longest time that players who are not ready can delay a start, in seconds. Half of this time is for
	 * waiting for them, and half is for announcing the start to them. A change applies to the next start that
	 * is prepared.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "600", Units = "s"))
	float StartPatienceSeconds = 10.0f;

	/** A player is ready for a start if the expected error of its clock is at most this value, in ms. A
	 * change applies to the next start that is prepared. */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "1000", Units = "ms"))
	float StartMaxExpectedErrorMs = 5.0f;
};
