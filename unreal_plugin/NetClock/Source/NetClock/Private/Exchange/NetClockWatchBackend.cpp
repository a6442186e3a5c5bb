// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_watch.h: players' clocks.

#include "Exchange/NetClockWatchBackend.h"

#include "Clock/NetClockBackend.h"
#include "NetClockCLibrary.h"

namespace
{
	ENetClockSuspicion SuspicionOf(int32_t Level)
	{
		switch (Level)
		{
		case NETCLOCK_RATE_PLAUSIBLE: return ENetClockSuspicion::Plausible;
		case NETCLOCK_RATE_LIKELY: return ENetClockSuspicion::Likely;
		case NETCLOCK_RATE_PROVEN: return ENetClockSuspicion::Proven;
		default: return ENetClockSuspicion::Unknown;
		}
	}

	ENetClockFinding FindingOf(int32_t Finding)
	{
		switch (Finding)
		{
		case NETCLOCK_RATE_FAST: return ENetClockFinding::Fast;
		case NETCLOCK_RATE_SLOW: return ENetClockFinding::Slow;
		case NETCLOCK_RATE_ADDED: return ENetClockFinding::Added;
		case NETCLOCK_RATE_REMOVED: return ENetClockFinding::Removed;
		default: return ENetClockFinding::None;
		}
	}
}

TSharedPtr<FNetClockRateWatch> FNetClockRateWatch::Create()
{
	return Own<FNetClockRateWatch>(&netclock_rate_watch_destroy,
		[](netclock_rate_watch** Made) { return netclock_rate_watch_create(nullptr, Made); });
}

void FNetClockRateWatch::Report(int64 StampedTicks, int64 ArrivedTicks, int64 HeardTicks)
{
	// The library refuses an impossible report, which says nothing about a clock.
	static_cast<void>(netclock_rate_watch_report(
		Handle, StampedTicks, ArrivedTicks, HeardTicks == 0 ? NETCLOCK_UNKNOWN_TIME : HeardTicks));
}

void FNetClockRateWatch::Excuse(int64 FromTicks, int64 ToTicks)
{
	static_cast<void>(netclock_rate_watch_excuse(Handle, FromTicks, ToTicks));
}

FNetClockVerdict FNetClockRateWatch::Read() const
{
	FNetClockVerdict Result;
	auto Verdict = NetClock::Sized<netclock_rate_verdict>();
	if (netclock_rate_watch_read(Handle, &Verdict) != NETCLOCK_OK)
	{
		return Result;
	}
	Result.Level = SuspicionOf(Verdict.level);
	Result.Worst = SuspicionOf(Verdict.worst);
	Result.Finding = FindingOf(Verdict.finding);
	Result.Findings = static_cast<int32>(Verdict.findings);
	Result.GainedMs = NetClock::TicksToMs(Verdict.gained);
	Result.DurationSeconds = NetClock::TicksToSeconds(Verdict.duration);
	Result.bIsRateKnown = Verdict.is_mean_known != 0;
	Result.RatePpm = Verdict.mean_ppm;
	Result.RateErrorPpm = Verdict.mean_error_ppm;
	return Result;
}
