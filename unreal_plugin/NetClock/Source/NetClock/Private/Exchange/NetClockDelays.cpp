// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockDelays.h"

namespace
{
	/** The smallest round trip is taken over one to two spans of this length, in ticks. */
	constexpr int64 Span = 4 * NetClock::TicksPerSecond;

	/** Not seen yet. */
	constexpr int64 NoRoundTrip = 60 * NetClock::TicksPerSecond;
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
