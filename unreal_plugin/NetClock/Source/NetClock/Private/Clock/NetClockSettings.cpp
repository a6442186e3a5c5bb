// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockSettings.h"

const UNetClockSettings& UNetClockSettings::Get()
{
	// Check the values on every use, because the .ini file can be reloaded at any time.
	UNetClockSettings& Settings = *GetMutableDefault<UNetClockSettings>();
	NetClock::Limit(Settings.ProbesPerSecond, 0.1f, 20.0f, TEXT("ProbesPerSecond"));
	NetClock::Limit(Settings.TargetBoundMs, 1.0f, 10000.0f, TEXT("TargetBoundMs"));
	NetClock::Limit(Settings.StepThresholdMs, 1.0f, 60000.0f, TEXT("StepThresholdMs"));
	NetClock::Limit(Settings.MaxSlewPercent, 0.1f, 50.0f, TEXT("MaxSlewPercent"));
	NetClock::Limit(Settings.MaxDriftPpm, 1.0f, 10000.0f, TEXT("MaxDriftPpm"));
	NetClock::Limit(Settings.MaxUnannouncedDilation, 1.0f, 100.0f, TEXT("MaxUnannouncedDilation"));
	return Settings;
}
