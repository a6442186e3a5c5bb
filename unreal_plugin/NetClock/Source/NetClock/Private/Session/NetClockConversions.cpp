// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Session/NetClockConversions.h"

#include "HAL/CriticalSection.h"
#include "HAL/PlatformTime.h"
#include "Misc/DateTime.h"
#include "Misc/Guid.h"
#include "Misc/ScopeLock.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

static_assert(NETCLOCK_TICKS_PER_SECOND == NetClock::TicksPerSecond, "both count ticks of 100 ns");

namespace
{
	enum class ELibrary : uint8 { NotAsked, Usable, Unusable };
	ELibrary Library = ELibrary::NotAsked;

	/** The limit for world times, in seconds (8.5 years). Beyond 2^28 s, a double can no longer resolve
	 * ticks. */
	constexpr double MostSeconds = 268435456.0;

	/** The longest delay between the engine's and the plugin's reading of a frame's real time, in ticks. */
	constexpr int64 ReadLagTicks = NetClock::TicksPerSecond / 1000;
}

bool NetClock::IsLibraryUsable()
{
	if (Library == ELibrary::NotAsked)
	{
		const uint32 Found = static_cast<uint32>(netclock::abi_version());
		Library = Found == NETCLOCK_ABI_VERSION ? ELibrary::Usable : ELibrary::Unusable;
		if (Found == 0)
		{
			UE_LOG(LogNetClock, Warning,
				TEXT("NetClock was built without its library for this platform, so it uses the engine's "
					 "clock. Docs/troubleshooting.md in the plugin explains how to add the library."));
		}
		else if (Library == ELibrary::Unusable)
		{
			UE_LOG(LogNetClock, Error,
				TEXT("The loaded NetClock library has binary interface %u, but this plugin was built for %u. "
					 "Copy plugin and library from the same release, and remove older copies of the library. "
					 "Until then the plugin uses the engine's clock."),
				Found, static_cast<uint32>(NETCLOCK_ABI_VERSION));
		}
	}
	return Library == ELibrary::Usable;
}

void NetClock::DoNotUseLibrary()
{
	Library = ELibrary::Unusable;
}

void NetClock::LogNotCreated()
{
	UE_LOG(LogNetClock, Error, TEXT("The clock could not be created: %s"),
		UTF8_TO_TCHAR(netclock_last_error()));
}

void NetClock::ReportMisuse(const TCHAR* Function, const TCHAR* Remedy)
{
	static FCriticalSection Section;
	static TArray<FString> Reported;
	const FString Line = FString::Printf(TEXT("%s: %s"), Function, Remedy);
	const FScopeLock Lock(&Section);
	if (!Reported.Contains(Line))
	{
		Reported.Add(Line);
		UE_LOG(LogNetClock, Warning, TEXT("%s"), *Line);
	}
}

int64 NetClock::LocalTicks()
{
	// Prefer the library's clock, because time services slew the engine's clock on Linux.
	return IsLibraryUsable() ? TicksOf(netclock::monotonic_now())
							 : static_cast<int64>(FMath::FloorToDouble(FPlatformTime::Seconds() * 1.0e7));
}

int64 NetClock::BootId()
{
	static const int64 Id = IsLibraryUsable() ? static_cast<int64>(netclock::boot_id()) : 0;
	return Id;
}

int64 NetClock::CalendarSeconds()
{
	return FDateTime::UtcNow().GetTicks() / TicksPerSecond;
}

netclock::seed NetClock::DrawSeed()
{
	const FGuid Drawn = FGuid::NewGuid();
	return {HighOf(Drawn), LowOf(Drawn)};
}

int64 NetClock::DrawEpoch()
{
	return static_cast<int64>(HighOf(FGuid::NewGuid()) | 1u);
}

netclock::config NetClock::ConfigOf(const UNetClockSettings& Settings)
{
	netclock::config Config;
	// We leave client_frame and server_frame at zero, because both ends measure how long messages waited. We
	// send more requests than the library does by default, because the exchange with the shortest wait
	// counts. Packets also wait for a flush. Above 120 frames per second, only every other frame flushes.
	Config.steady_interval = SpanOfMs(1000.0f / Settings.ProbesPerSecond);
	Config.target_bound = SpanOfMs(Settings.TargetBoundMs);
	Config.step_threshold = SpanOfMs(Settings.StepThresholdMs);
	Config.max_slew = static_cast<double>(Settings.MaxSlewPercent) / 100.0;
	// The setting limits the difference between two machines, so each machine may deviate by half of it.
	Config.client_drift_ppm = static_cast<double>(Settings.MaxDriftPpm) / 2.0;
	Config.server_drift_ppm = Config.client_drift_ppm;
	Config.saved_seconds = NetClock::CalendarSeconds();
	Config.boot = static_cast<std::uint64_t>(NetClock::BootId());
	return Config;
}

netclock::host_config NetClock::HostConfigOf(const UNetClockSettings& Settings)
{
	netclock::host_config Config;
	Config.capacity = Config.start_capacity = HostCapacity;
	Config.world_read_lag = netclock::ticks{ReadLagTicks};
	// Each machine may deviate by half of the setting, rounded up.
	Config.utc_drift_ppm = static_cast<uint32>(Settings.MaxDriftPpm / 2.0f) + 1u;
	return Config;
}

FNetClockStatus NetClock::StatusOf(const netclock::reading& Reading)
{
	FNetClockStatus Result;
	Result.State = Same<ENetClockState::Doubtful, netclock::clock_state::doubtful>(Reading.state);
	Result.bIsSynced = Reading.state != netclock::clock_state::unsynced;
	Result.ServerTicks = TicksOf(Reading.time);
	Result.ErrorBoundMs = MsOf(Reading.error_bound, UnknownMs);
	Result.ExpectedErrorMs = MsOf(Reading.expected_error, UnknownMs);
	Result.RoundTripMs = MsOf(Reading.round_trip, UnknownMs);
	Result.FrequencyPpm = Reading.frequency_ppm;
	Result.Epoch = static_cast<int32>(Reading.epoch);
	Result.ServerEpoch = static_cast<int64>(Reading.server_epoch);
	return Result;
}

FNetClockWorldReading NetClock::WorldOf(const netclock::world_reading& Reading)
{
	FNetClockWorldReading Result;
	const double Seconds = TicksToSeconds(TicksOf(Reading.time));
	if (FMath::Abs(Seconds) >= MostSeconds)
	{
		return Result;
	}
	Result.bIsKnown = true;
	Result.Seconds = Seconds;
	Result.Rate = Reading.rate;
	Result.ErrorBoundMs = MsOf(Reading.error_bound, UnknownMs);
	Result.ErrorBoundIfUnchangedMs = MsOf(Reading.error_bound_if_unchanged, UnknownMs);
	Result.Epoch = static_cast<int32>(Reading.epoch);
	Result.JumpMs = MsOf(Reading.jump);
	return Result;
}

bool NetClock::IncidentOf(const netclock::event& Event, FNetClockIncident& Incident)
{
	using EKind = FNetClockIncident::EKind;
	Incident = FNetClockIncident();
	Incident.Cause =
		Same<ENetClockCause::Requested, netclock::discontinuity_cause::requested>(Event.discontinuity);
	Incident.Degradation =
		Same<ENetClockDegradation::Slewed, netclock::degradation_cause::slewed>(Event.degradation);
	Incident.AfterMs = MsOf(Event.jump);
	switch (Event.kind)
	{
	case netclock::event_kind::synced: Incident.Kind = EKind::Synced; return true;
	case netclock::event_kind::discontinuity: Incident.Kind = EKind::Discontinuity; return true;
	case netclock::event_kind::handed_over: Incident.Kind = EKind::HandedOver; return true;
	case netclock::event_kind::degraded:
	case netclock::event_kind::recovered: Incident.Kind = EKind::Degraded; return true;
	default: return false;
	}
}

bool NetClock::WorldTicksOf(double Seconds, int64& Ticks)
{
	// If Seconds is NaN, this comparison is false.
	const bool bExact = FMath::Abs(Seconds) < MostSeconds;
	Ticks = bExact ? static_cast<int64>(FMath::FloorToDouble(Seconds * 1.0e7 + 0.5)) : 0;
	return bExact;
}
