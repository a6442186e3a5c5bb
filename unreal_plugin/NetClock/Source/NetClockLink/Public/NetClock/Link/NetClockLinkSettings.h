// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockLinkSettings.generated.h"

/** The settings in Project Settings > Plugins > NetClock Link, stored in DefaultGame.ini. Changes to the
 * interval take effect on the next connection, and all other changes take effect immediately. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock Link"))
class NETCLOCKLINK_API UNetClockLinkSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, clamped to their ranges. Call this on the game thread. */
	static const UNetClockLinkSettings& Get();

	virtual FName GetCategoryName() const override { return FName(TEXT("Plugins")); }

	/**
	 * The UDP port of the link, at least 1024. If it is 0, there is no link, and NetClock uses the game's
	 * messages. Only the server's setting matters. Open this port in the server's firewall, in addition to
	 * the game's own port.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "0", ClampMax = "65535"))
	int32 LinkPort = 0;

	/** How many ports the server tries, starting with LinkPort, until it finds a free one. Raise this to run
	 * several servers on one machine. */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "1", ClampMax = "1000"))
	int32 LinkPortCount = 1;

	/**
	 * The average time between requests sent as game messages while the link works, in seconds. These
	 * requests update the world time and measure message delays. With longer intervals, the prediction lead
	 * adapts more slowly, and latency changes and cheats are detected later.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.05", ClampMax = "60", Units = "s"))
	float ProbeIntervalBesideLinkSeconds = 8.0f;
};
