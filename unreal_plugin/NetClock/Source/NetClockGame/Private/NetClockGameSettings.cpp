// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockGameSettings.h"

#include "Engine/World.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The longest server frame to allow for, in ticks (20 frames per second). */
	constexpr int64 SlowestFrameTicks = NetClock::TicksPerSecond / 20;

	void Configure(netclock::guest_config* Guest, netclock::host_config* Host)
	{
		const UNetClockGameSettings& Settings = UNetClockGameSettings::Get();
		if (Guest)
		{
			// 0.99f is greater than 0.99 when converted to double.
			Guest->lead_quantile = FMath::Min(static_cast<double>(Settings.InTimeShare), 0.99);
			Guest->latency_least_change = NetClock::SpanOfMs(Settings.LeastLatencyChangeMs);
		}
		if (Host)
		{
			Host->start_patience = NetClock::SpanOfMs(Settings.StartPatienceSeconds * 1000.0f);
			Host->start_max_expected_error = NetClock::SpanOfMs(Settings.StartMaxExpectedErrorMs);
			Host->start_frame = netclock::ticks{SlowestFrameTicks};
		}
	}

	const bool bConfigures = (UNetClockSession::Configurer = &Configure) != nullptr;
}

const UNetClockGameSettings& UNetClockGameSettings::Get()
{
	UNetClockGameSettings& Settings = *GetMutableDefault<UNetClockGameSettings>();
	NetClock::Limit(Settings.InTimeShare, 0.5f, 0.99f, TEXT("InTimeShare"));
	NetClock::Limit(Settings.LeastLatencyChangeMs, 1.0f, 1000.0f, TEXT("LeastLatencyChangeMs"));
	NetClock::Limit(Settings.StartPatienceSeconds, 0.1f, 600.0f, TEXT("StartPatienceSeconds"));
	NetClock::Limit(Settings.StartMaxExpectedErrorMs, 0.1f, 1000.0f, TEXT("StartMaxExpectedErrorMs"));
	return Settings;
}
