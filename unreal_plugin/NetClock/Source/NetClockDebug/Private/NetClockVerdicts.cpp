// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockVerdicts.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"

namespace
{
	constexpr int32 MaxLines = 5;

	/** In the order of ENetClockWeight. */
	const TCHAR* const WeightWords[] = {TEXT("FINE"), TEXT("NOTE"), TEXT("ATTENTION")};

	/** In the order of ENetClockCause. The workbench has no wording for the last two causes, because it lacks
	 * connections and replicated worlds. */
	const TCHAR* const CauseWords[] = {
		TEXT(""),
		TEXT("the server's clock restarted"),
		TEXT("two replies prove that a clock was stepped"),
		TEXT("this program did not run for a while; asking again"),
		TEXT("this machine's clock was set back; asking again"),
		TEXT("a correction too large to be slewed"),
		TEXT("the application stepped the clock"),
		TEXT("a new connection, perhaps to another server"),
		TEXT("the world time jumped"),
	};
	static_assert(static_cast<int32>(ENetClockCause::WorldJump) == 8, "each cause has its words");

	/** In the order of ENetClockDegradation. */
	const TCHAR* const DegradationWords[] = {
		TEXT("the clock is no longer degraded"),
		TEXT("no replies: running on the estimated rate"),
		TEXT("the error bound exceeds its target"),
		TEXT("a reply contradicts the clock; asking again"),
		TEXT("several servers with different clocks answer at this address (a load balancer?): "
			 "following one"),
		TEXT("a clock is slewed by more than allowed; the bound is wider"),
	};
	static_assert(static_cast<int32>(ENetClockDegradation::Slewed) == 5, "each degradation has its words");
}

NetClock::FRgb NetClock::ColorOf(ENetClockWeight Weight)
{
	return Weight == ENetClockWeight::Fine ? Colors::Good
		: Weight == ENetClockWeight::Note  ? Colors::Main
										   : Colors::Warn;
}

FString FNetClockVerdictLine::ToText(int64 NowTicks) const
{
	return FString::Printf(TEXT("%.0f s ago  %s  %s"), NetClock::TicksToSeconds(NowTicks - LocalTicks),
		WeightWords[static_cast<int32>(Weight)], *Words);
}

void FNetClockVerdicts::Add(const FNetClockIncident& Incident, int64 Ticks)
{
	FNetClockVerdictLine Line;
	Line.LocalTicks = Ticks;
	switch (Incident.Kind)
	{
	case FNetClockIncident::EKind::Synced:
		Line.Words = TEXT("the first reply arrived; there is a server time to show");
		break;
	case FNetClockIncident::EKind::HandedOver:
		Line.Words = TEXT("another server adopted the timescale; the clock continues");
		break;
	case FNetClockIncident::EKind::Discontinuity:
		Line.Weight = Incident.Cause == ENetClockCause::ProvenStep ? ENetClockWeight::Warning
																   : ENetClockWeight::Note;
		Line.Words = CauseWords[static_cast<int32>(Incident.Cause)];
		break;
	case FNetClockIncident::EKind::Degraded:
		Line.Weight = Incident.Degradation == ENetClockDegradation::None ? ENetClockWeight::Fine
																		 : ENetClockWeight::Warning;
		Line.Words = DegradationWords[static_cast<int32>(Incident.Degradation)];
		break;
	case FNetClockIncident::EKind::Other:
		Line.Weight = ENetClockWeight::Note;
		Line.Words = Incident.Text;
		break;
	}
	Lines.Add(Line);
	if (Lines.Num() > MaxLines)
	{
		Lines.RemoveAt(0);
	}
}
