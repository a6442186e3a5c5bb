// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockVerdict.h"

class FNetClockRateWatch;

/** Server: watches the clock of one player from its first probe on. Times are the server's, in ticks. */
class FNetClockPlayerWatch
{
public:
	void Begin();

	/** A probe that the player stamped arrived. HeardTicks is when the server sent the newest reply that the
	 * player knew. */
	void Report(int64 StampedTicks, int64 ReceivedTicks, int64 HeardTicks);

	/** What arrives from Now on for a number of seconds, an hour at most, is no evidence. */
	void Excuse(int64 Now, double Seconds);

	FNetClockVerdict GetVerdict() const;

	/** True once for each new finding. */
	bool TakeFinding(FNetClockVerdict& Verdict);

private:
	TSharedPtr<FNetClockRateWatch> Watch;
	int32 TakenFindings = 0;
};
