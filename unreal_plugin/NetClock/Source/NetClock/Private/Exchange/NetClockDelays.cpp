// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockDelays.h"

#include "Order/NetClockOrderBackend.h"

namespace
{
	/** Probes that are remembered until their reply arrives. A probe without a reply by then is lost. */
	constexpr int32 MaxSent = 32;

	/** The smallest round trip is taken over one to two spans of this length, in ticks. */
	constexpr int64 Span = 4 * NetClock::TicksPerSecond;

	/** Not seen yet. */
	constexpr int64 NoRoundTrip = 60 * NetClock::TicksPerSecond;
}

void FNetClockProbeDelays::NoteSent(int64 Id, const FNetClockStatus& Shown)
{
	Sent.Add({Id, Shown.ServerTicks, Shown.Epoch});
	if (Sent.Num() > MaxSent)
	{
		Sent.RemoveAt(0);
	}
}

// As the game meets them: a message leaves a frame with the time that the frame shows, and arrives in another
// frame. The server reads the probe, and makes what it sends, when its own frame begins.
void FNetClockProbeDelays::NoteReply(
	const FNetClockReply& Reply, const FNetClockStatus& Shown, FNetClockLead& Lead)
{
	for (int32 Index = 0; Index < Sent.Num(); ++Index)
	{
		if (Sent[Index].Id == Reply.Id)
		{
			Lead.NoteToServer(Sent[Index].Epoch, Sent[Index].ShownTicks, Reply.ReceivedTicks);
			Sent.RemoveAt(Index);
			break;
		}
	}
	Lead.NoteToClient(Shown.Epoch, Reply.ReceivedTicks, Shown.ServerTicks);
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
