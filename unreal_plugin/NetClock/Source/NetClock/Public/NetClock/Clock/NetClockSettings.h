// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockSettings.generated.h"

namespace NetClock
{
	/** Clamps a setting to its range and logs a warning if it was out of range. NaN becomes the minimum. The
	 * property metadata below repeats the limits for the editor. */
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

/** The settings in Project Settings > Plugins > NetClock, stored in DefaultGame.ini. The defaults suit most
 * games. NetClock clamps out-of-range values and logs a warning. Changes in the Client category take effect
 * on the next connection, and all other changes take effect immediately. */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock"))
class NETCLOCK_API UNetClockSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** Returns the current settings, clamped to their ranges. Call this on the game thread. */
	static const UNetClockSettings& Get();

	virtual FName GetCategoryName() const override { return FName(TEXT("Plugins")); }

	/** How many requests a synced client sends per second. A higher rate improves accuracy, because
	 * timestamps are only taken at frame boundaries. The server limits how many requests it answers. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "20", Units = "Hz"))
	float ProbesPerSecond = 8.0f;

	/** If the error bound exceeds this value, in ms, OnDegraded is called and the client sends a burst of
	 * requests. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "10000", Units = "ms"))
	float TargetBoundMs = 250.0f;

	/** If a forward correction exceeds this value, in ms, the clock jumps and OnDiscontinuity is called.
	 * Smaller corrections are slewed. In the clock's first second, corrections in either direction that
	 * exceed 50 ms and would take more than a second to slew are jumps, too. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "1", ClampMax = "60000", Units = "ms"))
	float StepThresholdMs = 250.0f;

	/** How much the clock may speed up or slow down to correct its time, in percent of real time. */
	UPROPERTY(EditAnywhere, Config, Category = "Client",
		meta = (ClampMin = "0.1", ClampMax = "50", Units = "Percent"))
	float MaxSlewPercent = 5.0f;

	/** The largest rate difference between two machines' clocks that the error bound covers, in ppm. Ordinary
	 * crystals stay within 100 ppm. Raise this value for machines with less accurate clocks. Higher values
	 * widen the bound. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000"))
	float MaxDriftPpm = 100.0f;

	/** If enabled, a client saves its machine's clock rate and the states of the 16 most recent servers to
	 * Saved/NetClock/Known.bin. Its next session then becomes accurate sooner. A wrong value in the file does
	 * no more harm than a missing file. If disabled, nothing is saved or loaded. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bRememberClock = true;

	/** The highest time dilation that the world time's error bound covers before clients learn of the
	 * dilation. A value of 1 covers pauses and slow motion. If your server runs its world faster than real
	 * time, enter the highest dilation it uses. By default, the engine allows a time dilation of up to 20.
	 * Higher values widen the bound. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "100"))
	float MaxUnannouncedDilation = 1.0f;

	/** If enabled, the editor displays the message about a client's first sync in a corner of the screen for
	 * five seconds. The Output Log always contains it. */
	UPROPERTY(EditAnywhere, Config, Category = "Editor")
	bool bShowWhenSynced = false;
};
