// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"

class FNetClockLead;

/** Client: measures how long probes and replies take, as frames show it. */
class FNetClockProbeDelays
{
public:
	/** A probe left in a frame that showed this status. */
	void NoteSent(int64 Id, const FNetClockStatus& Shown);

	/** A reply arrived in a frame that shows this status. */
	void NoteReply(const FNetClockReply& Reply, const FNetClockStatus& Shown, FNetClockLead& Lead);

private:
	struct FSent
	{
		int64 Id = 0;
		int64 ShownTicks = 0;
		int32 Epoch = 0;
	};

	/** Probes without a reply yet, the oldest first. */
	TArray<FSent> Sent;
};

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
