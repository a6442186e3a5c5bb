// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "World/NetClockSegments.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"

namespace
{
	const bool bRegisteredSegments = UNetClockComponent::Register<FNetClockSegments>();

	/** Segments are sent again to a client that does not know them after this, in ticks: the confirmation
	 * needs time to arrive. */
	constexpr int64 ResendAfter = NetClock::TicksPerSecond / 8;

	/** Segments of one change are sent again this often at most, if nothing is heard of the client. */
	constexpr int32 MaxResent = 16;

	/** One bit for each clock of a world. */
	constexpr uint32 AllClocks = 7;
}

void FNetClockSegments::OnProbe(const FNetClockProbe& Probe)
{
	ClientKnows = Probe.Known;
	ProbedTicks = Probe.ReceivedTicks;
	bProbed = true;
}

void FNetClockSegments::Serve(FNetClockServing& Frame)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Component);
	const UNetClockSession* Session = UNetClockSession::Of(&Component);
	if (!Clock || !Session || Session->IsAsking())
	{
		bProbed = false;
		return;
	}
	const bool bAgain = IsToBeResent(Clock->GetWorldKnowledge(), Frame.ChangedClocks != 0);
	const uint32 Clocks = bAgain ? AllClocks : Frame.ChangedClocks;
	for (uint32 Index = 0; Clocks >> Index; ++Index)
	{
		if (Clocks >> Index & 1u)
		{
			const ENetClockWorldClock Which = static_cast<ENetClockWorldClock>(Index);
			Component.ClientSegment(Which, Clock->GetServerSegment(Which));
		}
	}
}

bool FNetClockSegments::IsToBeResent(const FNetClockWorldKnowledge& Published, bool bChanged)
{
	const bool bAnswers = bProbed;
	bProbed = false;
	// A segment was lost, or is still on its way.
	if (bAnswers && !(ClientKnows == Published) && ProbedTicks - ResentTicks >= ResendAfter)
	{
		Resent = 0;
		ResentTicks = ProbedTicks;
		return true;
	}
	// Without probes in between: while the link is good, they are rare.
	Resent = bChanged ? 0 : Resent;
	const int64 Now = NetClock::LocalTicks();
	if (ProbedTicks == 0 || ClientKnows == Published || bChanged || Resent >= MaxResent ||
		Now - FMath::Max(ResentTicks, ProbedTicks) < ResendAfter)
	{
		return false;
	}
	++Resent;
	ResentTicks = Now;
	return true;
}

void FNetClockSegments::ReceiveSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	if (UNetClockSubsystem* Subsystem = UNetClockSubsystem::Of(&Component))
	{
		const FNetClockWorldKnowledge Before = Subsystem->GetWorldKnowledge();
		Subsystem->LearnSegment(Clock, Segment);
		const UNetClockLink* Link = UNetClockLink::Of(&Component);
		bWantsProbe =
			bWantsProbe || (Link && Link->IsLinked() && !(Subsystem->GetWorldKnowledge() == Before));
	}
}
