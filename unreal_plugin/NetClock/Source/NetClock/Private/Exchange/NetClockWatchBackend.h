// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockExchange.h"

struct netclock_rate_watch;

/** Server: watches the rate of one player's clock. */
class FNetClockRateWatch : public TNetClockOwner<netclock_rate_watch>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockRateWatch> Create();

	using TNetClockOwner::TNetClockOwner;

	/**
	 * A message with the player's stamp arrived. HeardTicks is when the server sent the newest reply that the
	 * player had received by then. Zero: not known. An impossible report is ignored.
	 */
	void Report(int64 StampedTicks, int64 ArrivedTicks, int64 HeardTicks);

	/** What arrives between two times of the server's clock is no evidence. */
	void Excuse(int64 FromTicks, int64 ToTicks);

	FNetClockVerdict Read() const;
};
