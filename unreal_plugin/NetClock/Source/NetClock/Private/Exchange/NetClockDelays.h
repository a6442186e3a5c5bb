// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"

/** Server: the smallest round trip of one player, over the last seconds. Times are the server's, in ticks. */
class FNetClockRoundTrip
{
public:
	/** A probe arrived. The server had sent the newest reply that the player knew at HeardTicks. */
	void See(int64 ReceivedTicks, int64 HeardTicks);

	/** In ms; UnknownMs if none was seen yet. */
	double GetMs() const;

private:
	/** Smallest in the span that began at Since, and in the span before. */
	int64 Least = 0;
	int64 LeastBefore = 0;
	int64 Since = 0;
};
