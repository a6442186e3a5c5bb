// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockSettings.generated.h"

/**
 * Project Settings > Plugins > NetClock, stored in DefaultGame.ini. The defaults suit most games. NetClock
 * limits a value that is out of range, and logs a warning. The next connection uses changes under Client;
 * other changes take effect at once.
 */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock"))
class NETCLOCK_API UNetClockSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** The current settings, all within their ranges. Call it on the game thread. */
	static const UNetClockSettings& Get();

	virtual FName GetCategoryName() const override;

	/**
	 * Probes that a synced client sends per second. Stamps are taken at frame boundaries, and more probes
	 * make up for that. Each costs 130 bytes. The server limits how many it answers.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "20", Units = "Hz"))
	float ProbesPerSecond = 8.0f;

	/** If the error bound exceeds this, in ms, OnDegraded is called and the client sends a burst of
	 * probes. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "10000", Units = "ms"))
	float TargetBoundMs = 250.0f;

	/** A forward correction above this, in ms, jumps and calls OnDiscontinuity. A smaller one is slewed. In
	 * the first second, a correction above 50 ms in either direction jumps if it would be slewed for longer
	 * than a second. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "60000", Units = "ms"))
	float StepThresholdMs = 250.0f;

	/** Largest slew: how much faster or slower the clock runs during a correction, in percent of real
	 * time. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "50", Units = "Percent"))
	float MaxSlewPercent = 5.0f;

	/**
	 * Largest difference between the rates of two machines' clocks for which the error bound holds, in ppm.
	 * Ordinary crystals stay within 100. A larger value makes the bound larger; use it for machines with
	 * worse clocks.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000"))
	float MaxDriftPpm = 100.0f;

	/** Share of messages that arrive in time with Get Prediction Lead, and of states with Suggest
	 * Interpolation Delay. From 0.5 to 0.99. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "0.5", ClampMax = "0.99"))
	float InTimeShare = 0.95f;

	/** Smallest change of a delay, in ms, for which OnLatencyChanged is called and which the speed scale
	 * hides. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "ms"))
	float LeastLatencyChangeMs = 20.0f;

	/**
	 * On: a client keeps how fast this machine's clock runs, and what belongs to each of the newest 16
	 * servers, in Saved/NetClock/Known.bin. Its next session is accurate sooner. What is wrong there costs no
	 * more than nothing there. Off: nothing is kept or read.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bRememberClock = true;

	/** On: a client's NetClock game state returns the server's world time. Off: it returns the engine's
	 * estimate. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bOverrideWorldTime = true;

	/**
	 * UDP port of the link, from 1024 on. Zero: no link, and the game's messages alone carry the exchange.
	 * Only the server's value counts. Open the port in the server's firewall, as you do with the game's own.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "0", ClampMax = "65535"))
	int32 LinkPort = 0;

	/** How many ports from LinkPort on the server may try, if others use the first ones: for several servers
	 * on one machine. */
	UPROPERTY(EditAnywhere, Config, Category = "Link", meta = (ClampMin = "1", ClampMax = "1000"))
	int32 LinkPortCount = 1;

	/** Mean time between a client's requests by the link once its clock has settled, in seconds. Each
	 * exchange costs 128 bytes. */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.5", ClampMax = "60", Units = "s"))
	float LinkIntervalSeconds = 5.0f;

	/**
	 * Mean time between probes by the game's messages while the link is good, in seconds. They confirm the
	 * world time, and they measure the delays of messages: prediction leads, changes of latency and cheats
	 * are found later with fewer of them.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Link",
		meta = (ClampMin = "0.05", ClampMax = "60", Units = "s"))
	float ProbeIntervalBesideLinkSeconds = 8.0f;

	/** On: the server adds a clock component to every player who joins. Off: only controllers that bring
	 * their own have one. */
	UPROPERTY(EditAnywhere, Config, Category = "Server")
	bool bAttachToEveryPlayer = true;

	/** Probes of one player that the server answers per second, in the long run. Keep it above
	 * ProbesPerSecond. */
	UPROPERTY(EditAnywhere, Config, Category = "Server",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "Hz"))
	float AnswersPerSecondAndPlayer = 30.0f;

	/** Probes of one player that the server answers in a row before the rate limit applies. Leave room for
	 * several bursts. */
	UPROPERTY(EditAnywhere, Config, Category = "Server", meta = (ClampMin = "16", ClampMax = "1000"))
	int32 AnswersInARow = 64;

	/**
	 * The longest that players who are not ready can delay a start, in seconds. Half of it is for waiting for
	 * them, half for telling them. It applies to starts that are prepared from now on.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "600", Units = "s"))
	float StartPatienceSeconds = 10.0f;

	/** A player whose expected error is larger than this, in ms, is not ready for a start. It applies to
	 * starts prepared from now on. */
	UPROPERTY(EditAnywhere, Config, Category = "Start",
		meta = (ClampMin = "0.1", ClampMax = "1000", Units = "ms"))
	float StartMaxExpectedErrorMs = 5.0f;

	/**
	 * On: when a client is synced, a corner of its screen shows the clock for five seconds. Only for play in
	 * the editor. The output log says it in any case.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Editor")
	bool bShowWhenSynced = false;

private:
	void BringIntoRange();
};
