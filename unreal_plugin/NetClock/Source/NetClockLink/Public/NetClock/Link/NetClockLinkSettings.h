// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockLinkSettings.generated.h"

/** The page Project Settings > Plugins > NetClock Link, stored in DefaultGame.ini. Changes to the intervals
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
	 * The UDP port of the link, at least 1024. If it is 0, there is no link and NetClock uses the game's
	 * messages. Only the server's value matters. Open the port in the server's firewall, in addition to the
	 * game's port.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "0", ClampMax = "65535"))
	int32 LinkPort = 0;

	/** The number of ports that the server tries, starting with LinkPort, until one is free. Raise it to run
	 * several servers on one machine. */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "1", ClampMax = "1000"))
	int32 LinkPortCount = 1;

	/** The mean time between a client's requests over the link once its clock has settled, in seconds. */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.5", ClampMax = "60", Units = "s"))
	float LinkIntervalSeconds = 5.0f;

	/**
	 * The mean time between requests in the game's messages while the link works, in seconds. They update the
	 * world time and measure message delays. At longer intervals, the prediction lead adapts more slowly, and
	 * latency changes and cheats are detected later.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.05", ClampMax = "60", Units = "s"))
	float ProbeIntervalBesideLinkSeconds = 8.0f;
};
