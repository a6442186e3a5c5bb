// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockPlayerWatch.h"

#include "NetClock/Base/NetClockUnits.h"
#include "Exchange/NetClockWatchBackend.h"

namespace
{
	/** Longest time that a clock is excused for at once, in seconds: an hour. */
	constexpr double MostExcused = 3600.0;
}

void FNetClockPlayerWatch::Begin()
{
	if (!Watch.IsValid())
	{
		Watch = FNetClockRateWatch::Create();
	}
}

void FNetClockPlayerWatch::Report(int64 StampedTicks, int64 ReceivedTicks, int64 HeardTicks)
{
	if (Watch.IsValid())
	{
		Watch->Report(StampedTicks, ReceivedTicks, HeardTicks);
	}
}

void FNetClockPlayerWatch::Excuse(int64 Now, double Seconds)
{
	if (Watch.IsValid() && FMath::IsFinite(Seconds) && Seconds >= 0.0)
	{
		Watch->Excuse(Now, Now + NetClock::SecondsToTicks(FMath::Min(Seconds, MostExcused)));
	}
}

FNetClockVerdict FNetClockPlayerWatch::GetVerdict() const
{
	return Watch.IsValid() ? Watch->Read() : FNetClockVerdict();
}

bool FNetClockPlayerWatch::TakeFinding(FNetClockVerdict& Verdict)
{
	Verdict = GetVerdict();
	const bool bNew = Verdict.Findings != TakenFindings;
	TakenFindings = Verdict.Findings;
	return bNew;
}
