// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockStats.h"

#include "CoreMinimal.h"
#include "NetClockReport.h"
#include "ProfilingDebugging/CountersTrace.h"
#include "ProfilingDebugging/CsvProfiler.h"
#include "Stats/Stats.h"

#if !UE_BUILD_SHIPPING

DECLARE_STATS_GROUP(TEXT("NetClock"), STATGROUP_NetClock, STATCAT_Advanced);
DECLARE_DWORD_ACCUMULATOR_STAT(TEXT("Synced"), STAT_NetClockSynced, STATGROUP_NetClock);
DECLARE_FLOAT_ACCUMULATOR_STAT(TEXT("Error bound (ms)"), STAT_NetClockErrorBound, STATGROUP_NetClock);
DECLARE_FLOAT_ACCUMULATOR_STAT(TEXT("Expected error (ms)"), STAT_NetClockExpectedError, STATGROUP_NetClock);
DECLARE_FLOAT_ACCUMULATOR_STAT(TEXT("Round trip (ms)"), STAT_NetClockRoundTrip, STATGROUP_NetClock);
DECLARE_FLOAT_ACCUMULATOR_STAT(TEXT("Frequency (ppm)"), STAT_NetClockFrequency, STATGROUP_NetClock);
DECLARE_DWORD_ACCUMULATOR_STAT(TEXT("Probes sent"), STAT_NetClockProbesSent, STATGROUP_NetClock);
DECLARE_DWORD_ACCUMULATOR_STAT(TEXT("Replies refused"), STAT_NetClockRepliesRefused, STATGROUP_NetClock);
DECLARE_DWORD_COUNTER_STAT(TEXT("Probes answered in this frame"), STAT_NetClockAnswered, STATGROUP_NetClock);
DECLARE_DWORD_COUNTER_STAT(TEXT("Probes dropped in this frame"), STAT_NetClockDropped, STATGROUP_NetClock);

CSV_DEFINE_CATEGORY(NetClock, true);

/** A number of `stat NetClock`, of the CSV profiler and of Unreal Insights, until the next one. */
#define NETCLOCK_SHOW(Kind, Name, CsvName, Value)                                                            \
	SET_##Kind##_STAT(STAT_NetClock##Name, Value);                                                           \
	CSV_CUSTOM_STAT(NetClock, CsvName, Value, ECsvCustomStatOp::Set);                                        \
	TRACE_COUNTER_SET(NetClock##Name, Value)

TRACE_DECLARE_INT_COUNTER(NetClockSynced, TEXT("NetClock/Synced"));
TRACE_DECLARE_FLOAT_COUNTER(NetClockErrorBound, TEXT("NetClock/Error bound (ms)"));
TRACE_DECLARE_FLOAT_COUNTER(NetClockExpectedError, TEXT("NetClock/Expected error (ms)"));
TRACE_DECLARE_FLOAT_COUNTER(NetClockRoundTrip, TEXT("NetClock/Round trip (ms)"));
TRACE_DECLARE_FLOAT_COUNTER(NetClockFrequency, TEXT("NetClock/Frequency (ppm)"));
TRACE_DECLARE_INT_COUNTER(NetClockProbesSent, TEXT("NetClock/Probes sent"));
TRACE_DECLARE_INT_COUNTER(NetClockRepliesRefused, TEXT("NetClock/Replies refused"));
TRACE_DECLARE_INT_COUNTER(NetClockAnswered, TEXT("NetClock/Probes answered in a frame"));
TRACE_DECLARE_INT_COUNTER(NetClockDropped, TEXT("NetClock/Probes dropped in a frame"));

namespace
{
	/** Shows an unknown number as 0, because a huge one would hide all others in a graph. Synced tells the
	 * two apart. */
	float Shown(double Ms)
	{
		return Ms < NetClock::UnknownMs ? static_cast<float>(Ms) : 0.0f;
	}

	void ShowClient(const FNetClockReport& Report)
	{
		const FNetClockStatus& Status = Report.Status;
		NETCLOCK_SHOW(DWORD, Synced, Synced, Status.bIsSynced ? 1 : 0);
		NETCLOCK_SHOW(FLOAT, ErrorBound, ErrorBoundMs, Shown(Status.ErrorBoundMs));
		NETCLOCK_SHOW(FLOAT, ExpectedError, ExpectedErrorMs, Shown(Status.ExpectedErrorMs));
		NETCLOCK_SHOW(FLOAT, RoundTrip, RoundTripMs, Shown(Status.RoundTripMs));
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
