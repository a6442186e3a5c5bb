// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockStats.h"

#include "CoreMinimal.h"
#include "NetClockReport.h"
#include "ProfilingDebugging/CountersTrace.h"
#include "ProfilingDebugging/CsvProfiler.h"
#include "Stats/Stats.h"

#if !UE_BUILD_SHIPPING

DECLARE_STATS_GROUP(TEXT("NetClock"), STATGROUP_NetClock, STATCAT_Advanced);
/** Declares a counter in `stat NetClock` and in Unreal Insights. */
#define NETCLOCK_DECLARE(StatKind, TraceKind, Name, Text)                                                    \
	DECLARE_##StatKind##_STAT(TEXT(Text), STAT_NetClock##Name, STATGROUP_NetClock);                          \
	TRACE_DECLARE_##TraceKind##_COUNTER(NetClock##Name, TEXT("NetClock/" Text))

NETCLOCK_DECLARE(DWORD_ACCUMULATOR, INT, Synced, "Synced");
NETCLOCK_DECLARE(FLOAT_ACCUMULATOR, FLOAT, ErrorBound, "Error bound (ms)");
NETCLOCK_DECLARE(FLOAT_ACCUMULATOR, FLOAT, ExpectedError, "Expected error (ms)");
NETCLOCK_DECLARE(FLOAT_ACCUMULATOR, FLOAT, RoundTrip, "Round trip (ms)");
NETCLOCK_DECLARE(FLOAT_ACCUMULATOR, FLOAT, Frequency, "Frequency (ppm)");
NETCLOCK_DECLARE(DWORD_ACCUMULATOR, INT, ProbesSent, "Probes sent");
NETCLOCK_DECLARE(DWORD_ACCUMULATOR, INT, RepliesRefused, "Replies refused");
NETCLOCK_DECLARE(DWORD_COUNTER, INT, Answered, "Probes answered in a frame");
NETCLOCK_DECLARE(DWORD_COUNTER, INT, Dropped, "Probes dropped in a frame");

CSV_DEFINE_CATEGORY(NetClock, true);

/** Sets a counter in `stat NetClock`, the CSV profiler and Unreal Insights. They show it until it changes. */
#define NETCLOCK_SHOW(Kind, Name, CsvName, Value)                                                            \
	SET_##Kind##_STAT(STAT_NetClock##Name, Value);                                                           \
	CSV_CUSTOM_STAT(NetClock, CsvName, Value, ECsvCustomStatOp::Set);                                        \
	TRACE_COUNTER_SET(NetClock##Name, Value)

namespace
{
	/** Replaces unknown values with 0, as a huge value would dwarf others. The counter Synced shows whether
	 * the values are known. */
	float OrZero(double Ms)
	{
		return Ms < NetClock::UnknownMs ? static_cast<float>(Ms) : 0.0f;
	}

	void ShowClient(const FNetClockReport& Report)
	{
		const FNetClockStatus& Status = Report.Status;
		NETCLOCK_SHOW(DWORD, Synced, Synced, Status.bIsSynced ? 1 : 0);
		NETCLOCK_SHOW(FLOAT, ErrorBound, ErrorBoundMs, OrZero(Status.ErrorBoundMs));
		NETCLOCK_SHOW(FLOAT, ExpectedError, ExpectedErrorMs, OrZero(Status.ExpectedErrorMs));
		NETCLOCK_SHOW(FLOAT, RoundTrip, RoundTripMs, OrZero(Status.RoundTripMs));
		NETCLOCK_SHOW(FLOAT, Frequency, FrequencyPpm, static_cast<float>(Status.FrequencyPpm));
		NETCLOCK_SHOW(DWORD, ProbesSent, ProbesSent, static_cast<int32>(Report.ProbesSent));
		NETCLOCK_SHOW(DWORD, RepliesRefused, RepliesRefused, static_cast<int32>(Report.RepliesRefused));
	}

	void ShowServer(const FNetClockReport& Report)
	{
		INC_DWORD_STAT_BY(STAT_NetClockAnswered, Report.AnsweredInFrame);
		INC_DWORD_STAT_BY(STAT_NetClockDropped, Report.DroppedInFrame);

		CSV_CUSTOM_STAT(NetClock, ProbesAnswered, Report.AnsweredInFrame, ECsvCustomStatOp::Accumulate);
		CSV_CUSTOM_STAT(NetClock, ProbesDropped, Report.DroppedInFrame, ECsvCustomStatOp::Accumulate);

		TRACE_COUNTER_SET(NetClockAnswered, Report.AnsweredInFrame);
		TRACE_COUNTER_SET(NetClockDropped, Report.DroppedInFrame);
	}
}

void NetClock::ShowInStats(const FNetClockReport& Report)
{
	if (Report.IsClient())
	{
		ShowClient(Report);
	}
	else if (Report.IsServer())
	{
		ShowServer(Report);
	}
}

#endif // !UE_BUILD_SHIPPING
