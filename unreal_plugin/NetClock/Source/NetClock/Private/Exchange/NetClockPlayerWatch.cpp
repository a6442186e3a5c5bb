// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockPlayerWatch.h"

#include "Exchange/NetClockWatchBackend.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"

namespace
{
	const bool bRegisteredWatch = UNetClockComponent::Register<FNetClockPlayerWatch>();

	/** Longest time that a clock is excused for at once, in seconds: an hour. */
	constexpr double MostExcused = 3600.0;
}

void FNetClockPlayerWatch::OnProbe(const FNetClockProbe& Probe)
{
	if (!Watch.IsValid())
	{
		Watch = FNetClockRateWatch::Create();
	}
	const UNetClockSession* Session = UNetClockSession::Of(&Component);
	if (Watch.IsValid() && Session && !Session->IsAsking())
	{
		Watch->Report(
			Probe.Request.ClientTicks, Session->ServerTicks(Probe.ReceivedTicks), Probe.HeardTicks);
	}
}

void FNetClockPlayerWatch::Excuse(double Seconds)
{
	const UNetClockSession* Session = UNetClockSession::Of(&Component);
	if (Watch.IsValid() && Session && FMath::IsFinite(Seconds) && Seconds >= 0.0)
	{
		const int64 Now = Session->ServerTicks(NetClock::LocalTicks());
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
