// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Clock/NetClockTypes.h"
#include "CoreMinimal.h"

/**
 * How a client asks while nobody answers. A connection is closed when too many reliable messages wait for their confirmation.
 * A server that loads a level confirms nothing, so few probes may be reliable, and then ever fewer are sent.
 */
class FNetClockPatience
{
public:
	/** A probe is due. False: not yet. Sets bReliable to false where it must not be reliable. */
	bool MaySend(int64 Now, bool& bReliable)
	{
		if (!bReliable)
		{
			return true;
		}
		BegunTicks = Unanswered == 0 ? Now : BegunTicks;
		bReliable = Unanswered < MostReliable;
		if (!bReliable && Now - SentTicks < FMath::Min((Now - BegunTicks) / Share, LongestWait))
		{
			return false;
		}
		++Unanswered;
		SentTicks = Now;
		return true;
	}

	void NoteReply() { Unanswered = 0; }

private:
	/** Enough to bring one through where loss is heavy. */
	static constexpr int32 MostReliable = 3;

	/** Waits grow with the time since the first probe, to this share of it: a reply that takes a second is not missed ... */
	static constexpr int64 Share = 4;

	/** ... and no further than this, so that a server that goes on is noticed soon. */
	static constexpr int64 LongestWait = NetClock::TicksPerSecond;

	int32 Unanswered = 0;
	int64 BegunTicks = 0;
	int64 SentTicks = 0;
};
