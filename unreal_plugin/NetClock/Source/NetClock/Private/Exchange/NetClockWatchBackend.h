// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"

struct netclock_rate_watch;

/** Server: the watch over one player's clock. */
class FNetClockRateWatch
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockRateWatch> Create();

	explicit FNetClockRateWatch(netclock_rate_watch* InHandle) : Handle(InHandle) {}
	~FNetClockRateWatch();
	FNetClockRateWatch(const FNetClockRateWatch&) = delete;
	FNetClockRateWatch& operator=(const FNetClockRateWatch&) = delete;

	/**
	 * A message that the player stamped StampedTicks arrived; HeardTicks is when the server sent the newest thing that the
	 * player had received by then, zero if nobody knows. What cannot be is passed over.
	 */
	void Report(int64 StampedTicks, int64 ArrivedTicks, int64 HeardTicks);

	/** What arrives from one time of the server's clock to another is no evidence. */
	void Excuse(int64 FromTicks, int64 ToTicks);

	FNetClockVerdict Read() const;

private:
	netclock_rate_watch* Handle;
};
