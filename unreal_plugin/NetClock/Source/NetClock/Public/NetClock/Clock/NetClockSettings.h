// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockSettings.generated.h"

namespace NetClock
{
	/** Clamps a setting to its range and logs a warning if it is out of range. A value that is not a number
	 * counts as too small. The header repeats the limits for the editor. */
	template <class T> void Limit(T& Value, T Min, T Max, [[maybe_unused]] const TCHAR* Name)
	{
		const T Given = Value;
		Value = Value >= Min ? FMath::Min(Value, Max) : Min;
		if (Value != Given)
		{
			UE_LOG(LogNetClock, Warning,
				TEXT("%s is %g, but its range is %g to %g. NetClock uses %g. Change it in Project Settings > "
					 "Plugins, or in DefaultGame.ini."),
				Name, static_cast<double>(Given), static_cast<double>(Min), static_cast<double>(Max),
				static_cast<double>(Value));
		}
	}
}

/** The page Project Settings > Plugins > NetClock, stored in DefaultGame.ini. The defaults suit most games.
 * NetClock clamps values that are out of range and logs a warning. Changes in the category Client take effect
 * with the next connection, all others immediately. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock"))
class NETCLOCK_API UNetClockSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, all within their ranges. Call it on the game thread. */
	static const UNetClockSettings& Get();

	virtual FName GetCategoryName() const override;

	/** The number of requests per second that a synced client sends. Timestamps are only taken at frame
	 * boundaries, so a higher rate improves accuracy. The server limits how many requests it answers. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "20", Units = "Hz"))
	float ProbesPerSecond = 8.0f;

	/** If the error bound exceeds this value, in ms, OnDegraded is called and the client sends a burst of
	 * requests. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "10000", Units = "ms"))
	float TargetBoundMs = 250.0f;

	/** If a forward correction exceeds this value, in ms, the clock jumps and OnDiscontinuity is called.
	 * Smaller corrections are slewed. In the first second, a correction above 50 ms in either direction jumps
	 * if it would take longer than a second to slew. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "60000", Units = "ms"))
	float StepThresholdMs = 250.0f;

	/** The maximum slew, that is, by how much the clock may speed up or slow down during a correction, in
	 * percent of real time. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "50", Units = "Percent"))
	float MaxSlewPercent = 5.0f;

	/** The error bound holds if the rates of two machines' clocks differ by at most this value, in ppm.
	 * Ordinary crystals stay within 100. Raise it for machines with worse clocks. A higher value widens the
	 * bound. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000"))
	float MaxDriftPpm = 100.0f;

	/** If enabled, a client stores the rate of this machine's clock and the state of the 16 latest servers in
	 * Saved/NetClock/Known.bin, so that its next session becomes accurate sooner. Wrong values in the file
	 * are no worse than a missing file. If disabled, nothing is stored or read. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bRememberClock = true;

	/** If enabled, a client's NetClock game state returns the server's world time. If disabled, it returns
	 * the engine's estimate. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bOverrideWorldTime = true;

	/** The largest time dilation that the error bound of the world time covers before clients learn about it.
	 * A value of 1 covers pauses and slow motion. If the server runs its world faster than real time, enter
	 * the largest dilation that it uses. The engine allows up to 20 by default. Larger values widen the
	 * bound. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "100"))
	float MaxUnannouncedDilation = 1.0f;

	/** If enabled, the server adds a clock component to every player who joins. If disabled, only controllers
	 * that contain one have a clock. */
	UPROPERTY(EditAnywhere, Config, Category = "Server")
	bool bAttachToEveryPlayer = true;

	/** The sustained number of datagrams per second that the server handles from one player. It should be
	 * higher than ProbesPerSecond. */
	UPROPERTY(EditAnywhere, Config, Category = "Server",
		meta = (ClampMin = "1", ClampMax = "1000", Units = "Hz"))
	float AnswersPerSecondAndPlayer = 30.0f;

	/** The number of consecutive datagrams that the server handles from one player before the rate limit
	 * applies. It should be large enough for several bursts. */
	UPROPERTY(EditAnywhere, Config, Category = "Server", meta = (ClampMin = "16", ClampMax = "1000"))
	int32 AnswersInARow = 64;

	/** If enabled, a client in the editor displays its clock in a corner of the screen for five seconds after
	 * it syncs. The message is always written to the output log. */
	UPROPERTY(EditAnywhere, Config, Category = "Editor")
	bool bShowWhenSynced = false;
};
