// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Session/NetClockReadings.h"

#include "HAL/CriticalSection.h"
#include "HAL/PlatformTime.h"
#include "Misc/Guid.h"
#include "Misc/ScopeLock.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockCLibrary.h"

static_assert(NETCLOCK_TICKS_PER_SECOND == NetClock::TicksPerSecond, "both count ticks of 100 ns");

namespace
{
	/** Reads the engine's clock, which time services slew on Linux. */
	int64 EngineTicks()
	{
		return static_cast<int64>(
			FMath::FloorToDouble(FPlatformTime::Seconds() * static_cast<double>(NetClock::TicksPerSecond)));
	}

	/** The state of the library in this process. */
	enum class ELibrary : uint8 { NotAsked, Usable, Unusable };
	ELibrary Library = ELibrary::NotAsked;

	/** Larger world times are rejected: a double resolves ticks up to 2^28 s (8.5 years). */
	constexpr double MostSeconds = 268435456.0;

	ENetClockCause CauseOf(netclock::discontinuity_cause Cause)
	{
		switch (Cause)
		{
		case netclock::discontinuity_cause::server_restart: return ENetClockCause::ServerRestart;
		case netclock::discontinuity_cause::proven_step: return ENetClockCause::ProvenStep;
		case netclock::discontinuity_cause::local_gap: return ENetClockCause::LocalGap;
		case netclock::discontinuity_cause::local_step: return ENetClockCause::LocalStep;
		case netclock::discontinuity_cause::correction: return ENetClockCause::Correction;
		case netclock::discontinuity_cause::requested: return ENetClockCause::Requested;
		default: return ENetClockCause::None;
		}
	}

	ENetClockDegradation DegradationOf(netclock::degradation_cause Cause)
	{
		switch (Cause)
		{
		case netclock::degradation_cause::no_replies: return ENetClockDegradation::NoReplies;
		case netclock::degradation_cause::bound_above_target: return ENetClockDegradation::BoundAboveTarget;
		case netclock::degradation_cause::contradiction: return ENetClockDegradation::Contradiction;
		case netclock::degradation_cause::several_servers: return ENetClockDegradation::SeveralServers;
		case netclock::degradation_cause::slewed: return ENetClockDegradation::Slewed;
		default: return ENetClockDegradation::None;
		}
	}
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

void NetClock::ReportMisuse(const TCHAR* Function, const TCHAR* Remedy)
{
	struct FReported
	{
		const TCHAR* Function;
		const TCHAR* Remedy;
	};
	static FCriticalSection Section;
	static TArray<FReported> All;
	const FScopeLock Lock(&Section);
	const auto IsIt = [Function, Remedy](const FReported& Each)
	{ return Each.Function == Function && Each.Remedy == Remedy; };
	if (!All.FindByPredicate(IsIt))
	{
		All.Add({Function, Remedy});
		UE_LOG(LogNetClock, Warning, TEXT("%s: %s"), Function, Remedy);
	}
}

void NetClock::DoNotUseLibrary()
{
	Library = ELibrary::Unusable;
}

int64 NetClock::LocalTicks()
{
	return IsLibraryUsable() ? TicksOf(netclock::monotonic_now()) : EngineTicks();
}

int64 NetClock::BootId()
{
	static const int64 Id = IsLibraryUsable() ? static_cast<int64>(netclock::boot_id()) : 0;
	return Id;
}

netclock::seed NetClock::SeedOf(const FGuid& Drawn)
{
	return {HighOf(Drawn), LowOf(Drawn)};
}

ENetClockState NetClock::StateOf(int32 State)
{
	switch (static_cast<netclock::clock_state>(State))
	{
	case netclock::clock_state::synced: return ENetClockState::Synced;
	case netclock::clock_state::holdover: return ENetClockState::Holdover;
	case netclock::clock_state::doubtful: return ENetClockState::Doubtful;
	default: return ENetClockState::Unsynced;
	}
}

FNetClockStatus NetClock::StatusOf(const netclock::reading& Reading)
{
	FNetClockStatus Result;
	Result.State = StateOf(static_cast<int32>(Reading.state));
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
	Incident = FNetClockIncident();
	switch (Event.kind)
	{
	case netclock::event_kind::synced:
		return true;
	case netclock::event_kind::discontinuity:
		Incident.Kind = FNetClockIncident::EKind::Discontinuity;
		Incident.Cause = CauseOf(Event.discontinuity);
		Incident.AfterMs = MsOf(Event.jump);
		return true;
	case netclock::event_kind::handed_over:
		Incident.Kind = FNetClockIncident::EKind::HandedOver;
		return true;
	case netclock::event_kind::degraded:
		Incident.Kind = FNetClockIncident::EKind::Degraded;
		Incident.Degradation = DegradationOf(Event.degradation);
		return true;
	case netclock::event_kind::recovered:
		Incident.Kind = FNetClockIncident::EKind::Degraded;
		return true;
	default:
		return false;
	}
}

bool NetClock::WorldTicksOf(double Seconds, int64& Ticks)
{
	// The comparison is also false for a value that is not a number.
	const bool bExact = FMath::Abs(Seconds) < MostSeconds;
	Ticks = bExact
		? static_cast<int64>(FMath::FloorToDouble(Seconds * static_cast<double>(TicksPerSecond) + 0.5))
		: 0;
	return bExact;
}
