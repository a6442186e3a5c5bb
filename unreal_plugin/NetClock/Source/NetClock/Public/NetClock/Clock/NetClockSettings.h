// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockSettings.generated.h"

/**
 * The page Project Settings > Plugins > NetClock, stored in DefaultGame.ini. The defaults suit most games.
 * NetClock clamps values that are out of range, and logs a warning. Changes in the category Client take
 * effect with the next connection, all others immediately.
 */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock"))
class NETCLOCK_API UNetClockSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, all within their ranges. Call it on the game thread. */
	static const UNetClockSettings& Get();

	virtual FName GetCategoryName() const override;

	/**
	 * The number of requests per second that a synced client sends. Timestamps are taken at frame boundaries,
	 * and more requests compensate for that. The server limits how many it answers.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "20", Units = "Hz"))
	float ProbesPerSecond = 8.0f;

	/** The error bound, in ms, above which OnDegraded is called and the client sends a burst of requests. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "10000", Units = "ms"))
	float TargetBoundMs = 250.0f;

	/** The forward correction, in ms, above which the clock jumps and OnDiscontinuity is called. Smaller
	 * corrections are slewed. In the first second, a correction above 50 ms in either direction jumps if it
	 * would take longer than a second to slew. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "60000", Units = "ms"))
	float StepThresholdMs = 250.0f;

	/** The largest slew: how much faster or slower the clock runs during a correction, in percent of real
	 * time. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "50", Units = "Percent"))
	float MaxSlewPercent = 5.0f;

	/**
	 * The largest difference between the rates of two machines' clocks, in ppm, for which the error bound
	 * holds. Ordinary crystals stay within 100. Raise it for machines with worse clocks, which makes the
	 * bound larger.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000"))
	float MaxDriftPpm = 100.0f;

	/** The share of messages that should be in time with the prediction lead, and the share of states that
	 * should arrive within the downlink delay, from 0.5 to 0.99. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "0.5", ClampMax = "0.99"))
	float InTimeShare = 0.95f;

	/** The smallest change in a delay, in ms, that OnLatencyChanged reports and the speed scale hides. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "ms"))
	float LeastLatencyChangeMs = 20.0f;

	/**
	 * If enabled, a client stores the rate of this machine's clock, and the state of the 16 latest servers,
	 * in Saved/NetClock/Known.bin, so that its next session is accurate sooner. Wrong values in the file do
	 * no more harm than a missing file. If disabled, nothing is stored or read.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bRememberClock = true;

	/** If enabled, a client's NetClock game state returns the server's world time. If disabled, it returns
	 * the engine's estimate. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bOverrideWorldTime = true;

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

	/** If enabled, the server adds a clock component to every player who joins. If disabled, only controllers
	 * that contain one have a clock. */
	UPROPERTY(EditAnywhere, Config, Category = "Server")
	bool bAttachToEveryPlayer = true;

	/** The sustained number of datagrams per second that the server handles from one player. Keep it above
	 * ProbesPerSecond. */
	UPROPERTY(EditAnywhere, Config, Category = "Server",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "Hz"))
	float AnswersPerSecondAndPlayer = 30.0f;

	/** The number of datagrams in a row that the server handles from one player before the rate limit
	 * applies. Leave room for several bursts. */
	UPROPERTY(EditAnywhere, Config, Category = "Server", meta = (ClampMin = "16", ClampMax = "1000"))
	int32 AnswersInARow = 64;

	/**
	 * The longest time that players who are not ready can delay a start, in seconds. Half of this time is for
	 * waiting for them, and half is for announcing the start to them. It applies to starts that are prepared
	 * from now on.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "600", Units = "s"))
	float StartPatienceSeconds = 10.0f;

	/** The largest expected error, in ms, at which a player counts as ready for a start. It applies to starts
	 * that are prepared from now on. */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "1000", Units = "ms"))
	float StartMaxExpectedErrorMs = 5.0f;

	/**
	 * If enabled, a client that plays in the editor shows its clock in a corner of the screen for five
	 * seconds after it syncs. The output log contains the message in any case.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Editor")
	bool bShowWhenSynced = false;

private:
	void BringIntoRange();
};
