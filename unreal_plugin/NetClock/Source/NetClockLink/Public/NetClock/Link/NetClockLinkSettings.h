// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockLinkSettings.generated.h"

/** The page Project Settings > Plugins > NetClock Link, stored in DefaultGame.ini. Changes of the intervals
 * take effect with the next connection, all others immediately. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock Link"))
class NETCLOCKLINK_API UNetClockLinkSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, all within their ranges. Call it on the game thread. */
	static const UNetClockLinkSettings& Get();

	virtual FName GetCategoryName() const override;

	/**
	 * The UDP port of the link, from 1024 on. With 0 there is no link, and the game's messages carry the
	 * exchange. Only the server's value counts. Open the port in the server's firewall, as you do with the
	 * game's port.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "0", ClampMax = "65535"))
	int32 LinkPort = 0;

	/** How many ports the server tries, beginning with LinkPort, if other programs use the first ones. Raise
	 * it to run several servers on one machine. */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "1", ClampMax = "1000"))
	int32 LinkPortCount = 1;

	/** The mean time between a client's requests over the link once its clock has settled, in seconds. */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.5", ClampMax = "60", Units = "s"))
	float LinkIntervalSeconds = 5.0f;

	/**
	 * The mean time between requests over the game's messages while the link works, in seconds. They update
	 * the world time and measure the delays of messages. With fewer of them, the prediction lead adapts
	 * later, and latency changes and cheats are detected later.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.05", ClampMax = "60", Units = "s"))
	float ProbeIntervalBesideLinkSeconds = 8.0f;
};
