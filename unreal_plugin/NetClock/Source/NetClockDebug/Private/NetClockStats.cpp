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
		const int32 Synced = Report.Status.bIsSynced ? 1 : 0;
		const float ErrorBound = Shown(Report.Status.ErrorBoundMs);
		const float ExpectedError = Shown(Report.Status.ExpectedErrorMs);
		const float RoundTrip = Shown(Report.Status.RoundTripMs);
		const float Frequency = static_cast<float>(Report.Status.FrequencyPpm);
		const int32 Sent = static_cast<int32>(Report.ProbesSent);
		const int32 Refused = static_cast<int32>(Report.RepliesRefused);

		SET_DWORD_STAT(STAT_NetClockSynced, Synced);
		SET_FLOAT_STAT(STAT_NetClockErrorBound, ErrorBound);
		SET_FLOAT_STAT(STAT_NetClockExpectedError, ExpectedError);
		SET_FLOAT_STAT(STAT_NetClockRoundTrip, RoundTrip);
		SET_FLOAT_STAT(STAT_NetClockFrequency, Frequency);
		SET_DWORD_STAT(STAT_NetClockProbesSent, Sent);
		SET_DWORD_STAT(STAT_NetClockRepliesRefused, Refused);

		CSV_CUSTOM_STAT(NetClock, Synced, Synced, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, ErrorBoundMs, ErrorBound, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, ExpectedErrorMs, ExpectedError, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, RoundTripMs, RoundTrip, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, FrequencyPpm, Frequency, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, ProbesSent, Sent, ECsvCustomStatOp::Set);
		CSV_CUSTOM_STAT(NetClock, RepliesRefused, Refused, ECsvCustomStatOp::Set);

		TRACE_COUNTER_SET(NetClockSynced, Synced);
		TRACE_COUNTER_SET(NetClockErrorBound, ErrorBound);
		TRACE_COUNTER_SET(NetClockExpectedError, ExpectedError);
		TRACE_COUNTER_SET(NetClockRoundTrip, RoundTrip);
		TRACE_COUNTER_SET(NetClockFrequency, Frequency);
		TRACE_COUNTER_SET(NetClockProbesSent, Sent);
		TRACE_COUNTER_SET(NetClockRepliesRefused, Refused);
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
