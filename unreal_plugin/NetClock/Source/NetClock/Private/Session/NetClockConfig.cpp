// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Session/NetClockConfig.h"

#include "Clock/NetClockMemory.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockReadings.h"

namespace
{
	/** The plugin reads the real time of a frame slightly later than the engine. This is the allowance for
	 * the difference, in ticks. */
	constexpr int64 ReadLagTicks = NetClock::TicksPerSecond / 1000;

	/** The longest frame for which messages wait, in ticks: a server at 20 frames per second. */
	constexpr int64 SlowestFrameTicks = NetClock::TicksPerSecond / 20;

	netclock::ticks SpanOfMs(float Ms)
	{
		return netclock::ticks{NetClock::MsToTicks(static_cast<double>(Ms))};
	}

	netclock::ticks TicksOfSeconds(double Seconds)
	{
		return netclock::ticks{NetClock::SecondsToTicks(Seconds)};
	}
}

netclock::config NetClock::ConfigOf(const UNetClockSettings& Settings)
{
	netclock::config Config;
	// Timestamps are taken at frame boundaries, but client_frame and server_frame stay zero: they correct for
	// half a frame in a loop with a fixed rate, but a game's frames vary in length. More exchanges help
	// instead, because some of them arrive just before a frame begins, and the smallest wait counts. The same
	// holds for packets that wait for a flush, as they do in every other frame above 120 frames per second.
	Config.steady_interval = TicksOfSeconds(1.0 / static_cast<double>(Settings.ProbesPerSecond));
	Config.target_bound = SpanOfMs(Settings.TargetBoundMs);
	Config.step_threshold = SpanOfMs(Settings.StepThresholdMs);
	Config.max_slew = static_cast<double>(Settings.MaxSlewPercent) / 100.0;
	// The setting is the largest difference between two machines: half of it for each machine.
	Config.client_drift_ppm = static_cast<double>(Settings.MaxDriftPpm) / 2.0;
	Config.server_drift_ppm = Config.client_drift_ppm;
	Config.saved_seconds = NetClock::CalendarSeconds();
	Config.boot = static_cast<std::uint64_t>(NetClock::BootId());
	return Config;
}

netclock::guest_config NetClock::GuestConfigOf(const UNetClockSettings& Settings)
{
	netclock::guest_config Config;
	// As a double, 0.99f is above 0.99.
	Config.lead_quantile = FMath::Min(static_cast<double>(Settings.InTimeShare), 0.99);
	Config.latency_least_change = SpanOfMs(Settings.LeastLatencyChangeMs);
	return Config;
}

netclock::host_config NetClock::HostConfigOf(const UNetClockSettings& Settings)
{
	netclock::host_config Config;
	Config.capacity = Config.start_capacity = HostCapacity;
	Config.world_read_lag = netclock::ticks{ReadLagTicks};
	// Half of the setting for each machine, rounded up.
	Config.utc_drift_ppm = static_cast<uint32>(Settings.MaxDriftPpm / 2.0f) + 1u;
	Config.start_patience = TicksOfSeconds(static_cast<double>(Settings.StartPatienceSeconds));
	Config.start_max_expected_error = SpanOfMs(Settings.StartMaxExpectedErrorMs);
	Config.start_frame = netclock::ticks{SlowestFrameTicks};
	return Config;
}

void NetClock::LogNotCreated()
{
	UE_LOG(LogNetClock, Error, TEXT("The clock could not be created: %s"),
		UTF8_TO_TCHAR(netclock_last_error()));
}
