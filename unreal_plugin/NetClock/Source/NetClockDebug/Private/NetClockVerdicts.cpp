// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockVerdicts.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"

namespace
{
	constexpr int32 MaxLines = 5;

	const TCHAR* WordOf(ENetClockWeight Weight)
	{
		switch (Weight)
		{
		case ENetClockWeight::Fine: return TEXT("FINE");
		case ENetClockWeight::Note: return TEXT("NOTE");
		default: return TEXT("ATTENTION");
		}
	}

	void Judge(ENetClockCause Cause, FNetClockVerdictLine& Line)
	{
		Line.Weight = Cause == ENetClockCause::ProvenStep ? ENetClockWeight::Warning : ENetClockWeight::Note;
		switch (Cause)
		{
		case ENetClockCause::ServerRestart: Line.Words = TEXT("the server's clock restarted"); break;
		case ENetClockCause::ProvenStep:
			Line.Words = TEXT("two replies prove that a clock was stepped");
			break;
		case ENetClockCause::LocalGap:
			Line.Words = TEXT("this program did not run for a while; asking again");
			break;
		case ENetClockCause::LocalStep:
			Line.Words = TEXT("this machine's clock was set back; asking again");
			break;
		case ENetClockCause::Correction: Line.Words = TEXT("a correction too large to be slewed"); break;
		case ENetClockCause::Requested: Line.Words = TEXT("the application stepped the clock"); break;
		// The workbench has no wording for these two, because it lacks connections and replicated worlds.
		case ENetClockCause::WorldJump: Line.Words = TEXT("the world time jumped"); break;
		default: Line.Words = TEXT("a new connection, perhaps to another server"); break;
		}
	}

	void Judge(ENetClockDegradation Degradation, FNetClockVerdictLine& Line)
	{
		Line.Weight =
			Degradation == ENetClockDegradation::None ? ENetClockWeight::Fine : ENetClockWeight::Warning;
		switch (Degradation)
		{
		case ENetClockDegradation::NoReplies:
			Line.Words = TEXT("no replies: running on the estimated rate");
			break;
		case ENetClockDegradation::BoundAboveTarget:
			Line.Words = TEXT("the error bound exceeds its target");
			break;
		case ENetClockDegradation::Contradiction:
			Line.Words = TEXT("a reply contradicts the clock; asking again");
			break;
		case ENetClockDegradation::SeveralServers:
			Line.Words = TEXT("several servers with different clocks answer at this address (a load "
							  "balancer?): following one");
			break;
		case ENetClockDegradation::Slewed:
			Line.Words = TEXT("a clock is slewed by more than allowed; the bound is wider");
			break;
		default: Line.Words = TEXT("the clock is no longer degraded"); break;
		}
	}

}

NetClock::FRgb NetClock::ColorOf(ENetClockWeight Weight)
{
	switch (Weight)
	{
	case ENetClockWeight::Fine: return Colors::Good;
	case ENetClockWeight::Note: return Colors::Main;
	default: return Colors::Warn;
	}
}

FString FNetClockVerdictLine::ToText(int64 NowTicks) const
{
	return FString::Printf(
		TEXT("%.0f s ago  %s  %s"), NetClock::TicksToSeconds(NowTicks - LocalTicks), WordOf(Weight), *Words);
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
	case FNetClockIncident::EKind::Discontinuity: Judge(Incident.Cause, Line); break;
	case FNetClockIncident::EKind::Degraded: Judge(Incident.Degradation, Line); break;
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
