// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockGameSettings.generated.h"

/** The settings in Project Settings > Plugins > NetClock Game, stored in DefaultGame.ini. Changes in the
 * Latency category take effect on the next connection. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock Game"))
class NETCLOCKGAME_API UNetClockGameSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, clamped to their ranges. Call this on the game thread. */
	static const UNetClockGameSettings& Get();

	virtual FName GetCategoryName() const override { return FName(TEXT("Plugins")); }

	/** The fraction of messages that should reach the server in time when you use the prediction lead, from
	 * 0.5 to 0.99. It is also the fraction of states that should arrive within the downlink delay. */
	UPROPERTY(EditAnywhere, Config, Category = "Latency", meta = (ClampMin = "0.5", ClampMax = "0.99"))
	float InTimeShare = 0.95f;

	/** The smallest latency change that OnLatencyChanged reports and the speed scale hides, in ms. */
	UPROPERTY(EditAnywhere, Config, Category = "Latency",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "ms"))
	float LeastLatencyChangeMs = 20.0f;

	/**
	 * How long players who are not ready can delay a start, in seconds. Up to half of this time is spent
	 * waiting for them, and the other half announcing the start. Changes apply to the next start you prepare.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "600", Units = "s"))
	float StartPatienceSeconds = 10.0f;

	/** The largest expected clock error at which a player counts as ready for a start, in ms. Changes apply
	 * to the next start you prepare. */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "1000", Units = "ms"))
	float StartMaxExpectedErrorMs = 5.0f;
};
