// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockProbes.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Order/NetClockOrderBackend.h"
#include "World/NetClockSegments.h"

namespace
{
	const bool bRegisteredProbes = UNetClockComponent::Register<FNetClockProbes>();

	/** Probes of one player that are answered in one frame. Clients repeat lost ones; a queue would only get
	 * old. */
	constexpr int32 MaxPending = 8;

	/** Client: the time between probes that only confirm segments, in ticks. */
	constexpr int64 ConfirmAfter = NetClock::TicksPerSecond / 16;

	/** The smallest round trip is taken over one to two spans of this length, in ticks. */
	constexpr int64 Span = 4 * NetClock::TicksPerSecond;

	/** Not seen yet. */
	constexpr int64 NoRoundTrip = 60 * NetClock::TicksPerSecond;

	/** The longest wait that a frame can cause, in ticks. Longer exchanges are refused. */
	constexpr int64 MaxWait = 60 * NetClock::TicksPerSecond;
}

// A player can claim to know an older reply than it does. It then seems to have a longer way, as if it were
// slow.
void FNetClockRoundTrip::See(int64 ReceivedTicks, int64 HeardTicks)
{
	if (HeardTicks <= 0 || HeardTicks > ReceivedTicks)
	{
		return;
	}
	if (Since == 0 || ReceivedTicks - Since >= Span)
	{
		LeastBefore = Since == 0 ? NoRoundTrip : Least;
		Least = NoRoundTrip;
		Since = ReceivedTicks;
	}
	Least = FMath::Min(Least, ReceivedTicks - HeardTicks);
}

double FNetClockRoundTrip::GetMs() const
{
	const int64 Smallest = FMath::Min(Least, LeastBefore);
	return Since == 0 || Smallest >= NoRoundTrip ? NetClock::UnknownMs : NetClock::TicksToMs(Smallest);
}

void FNetClockProbes::Ask()
{
	UNetClockSession* Session = UNetClockSession::Of(&Component);
	FNetClockRequest Request;
	bool bReliable = false;
	if (!Session || !Session->GetClient().IsValid() || !IsDue(*Session->GetClient(), Request, bReliable))
	{
		return;
	}
	++Component.Counts.Sent;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Component);
	const FNetClockWorldKnowledge Known = Clock ? Clock->GetWorldKnowledge() : FNetClockWorldKnowledge();
	// The lead learns as the game meets delays: a message leaves with the time of its frame, and arrives in
	// another one. The server reads a probe, and makes what it sends, when its frame begins.
	if (Clock && Clock->IsSynced() && Session->GetLead().IsValid())
	{
		Session->GetLead()->NoteSent(Request.Id, Clock->GetFrameTicks(), Clock->GetStatus());
	}
	if (bReliable)
	{
		Component.ServerProbeReliably(Request, Known, NewestReplyTicks);
	}
	else
	{
		Component.ServerProbe(Request, Known, NewestReplyTicks);
	}
}

bool FNetClockProbes::IsDue(FNetClockClient& Client, FNetClockRequest& Request, bool& bReliable)
{
	const int64 Now = NetClock::LocalTicks();
	FNetClockSegments& Segments = *Component.Find<FNetClockSegments>();
	const bool bScheduled = Client.Tick(Now, Request, bReliable);
	// Probes are rare while the link is good. The server sends segments again until it knows that they
	// arrived.
	const bool bConfirms = !bScheduled && Segments.WantsProbe() && Now - SentTicks >= ConfirmAfter &&
		Client.MakeRequest(Now, Request);
	if (bScheduled || bConfirms)
	{
		Segments.NoteConfirmed();
		SentTicks = Now;
	}
	return bScheduled || bConfirms;
}

void FNetClockProbes::ReceiveProbe(const FNetClockProbe& Probe)
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	const double InARow = static_cast<double>(Settings.AnswersInARow);
	const double PerSecond = static_cast<double>(Settings.AnswersPerSecondAndPlayer);
	if (Pending.Num() >= MaxPending || !Budget.Spend(Probe.ReceivedTicks, InARow, PerSecond))
	{
		// The server drops the probe and does not punish: no player should lose the connection over a clock.
		if (++Component.Counts.Dropped == 1)
		{
			UE_LOG(LogNetClock, Verbose, TEXT("A player sends more probes than the server answers."));
		}
		return;
	}
	Pending.Add(Probe);
	const UNetClockSession* Session = UNetClockSession::Of(&Component);
	if (Session && !Session->IsAsking())
	{
		RoundTrip.See(Session->ServerTicks(Probe.ReceivedTicks), Probe.HeardTicks);
	}
	Component.NoteProbe(Probe);
}

void FNetClockProbes::Serve(FNetClockServing& Frame)
{
	Frame.Dropped += static_cast<int32>(Component.Counts.Dropped - DroppedBefore);
	DroppedBefore = Component.Counts.Dropped;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Component);
	UNetClockSession* Session = UNetClockSession::Of(&Component);
	// A server that asks for the time has none to answer with.
	const TSharedPtr<FNetClockServer> Server =
		Session && !Session->IsAsking() ? Session->GetServer() : nullptr;
	const FNetClockWorldKnowledge Published = Clock ? Clock->GetWorldKnowledge() : FNetClockWorldKnowledge();
	const int64 ThroughTicks = Clock ? Clock->GetWorldThroughTicks() : 0;
	for (const FNetClockProbe& Probe : Pending)
	{
		FNetClockReply Reply;
		if (!Server.IsValid() ||
			!Server->Answer(Probe.Request, Session->ServerTicks(Probe.ReceivedTicks),
				Session->ServerTicks(NetClock::LocalTicks()), Reply))
		{
			continue;
		}
		if (Probe.bReliable)
		{
			Reply.WaitTicks = FNetClockReply::SinceSent;
		}
		else if (Clock && Clock->GetPreviousPollTicks() != 0)
		{
			const int64 Wait = Probe.ReceivedTicks - Clock->GetPreviousPollTicks();
			Reply.WaitTicks = static_cast<int32>(FMath::Clamp<int64>(Wait, 1, MaxWait));
		}
		Session->SetAnswered();
		++Component.Counts.Answered;
		++Frame.Answered;
		if (Probe.bReliable)
		{
			Component.ClientReplyReliably(Reply, Published, ThroughTicks);
		}
		else
		{
			Component.ClientReply(Reply, Published, ThroughTicks);
		}
	}
	Pending.Reset();
}

void FNetClockProbes::ReceiveReply(
	const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockSession* Session = UNetClockSession::Of(&Component);
	UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Component);
	if (Session && Session->GetClient().IsValid() && Clock && Clock->GetPreviousPollTicks() != 0)
	{
		// A reliable probe has a reliable reply.
		const bool bReliable = Reply.WaitTicks == FNetClockReply::SinceSent;
		Session->GetClient()->NotePoll(bReliable ? Arrived - MaxWait : Clock->GetPreviousPollTicks());
	}
	if (!Session || !Session->HandleReply(Reply, Arrived))
	{
		++Component.Counts.Refused;
		return;
	}
	NewestReplyTicks = FMath::Max(NewestReplyTicks, Reply.SentTicks);
	if (!Clock)
	{
		return;
	}
	if (Clock->IsSynced() && Session->GetLead().IsValid())
	{
		Session->GetLead()->NoteArrived(Reply.Id, Reply.ReceivedTicks);
		Session->GetLead()->NoteReceived(
			Reply.ReceivedTicks, Clock->GetFrameTicks(), Clock->GetStatus());
	}
	Clock->ConfirmSegments(Published, Reply.Epoch, FMath::Min(ThroughTicks, Reply.SentTicks));
}
