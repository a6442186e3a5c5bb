// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Order/NetClockOrder.h"

struct FNetClockStatus;
struct netclock_lead;

/** Client: learns how long messages take. Times are in ticks: those of frames by the local clock, the others
 * by the server's. */
class FNetClockLead : public TNetClockOwner<netclock_lead>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockLead> Create();

	using TNetClockOwner::TNetClockOwner;

	/** A message left in a frame that showed this status. Numbers are the caller's. */
	void NoteSent(int64 Message, int64 FrameTicks, const FNetClockStatus& Shown);

	/** The server handled it at ArrivedTicks. */
	void NoteArrived(int64 Message, int64 ArrivedTicks);

	/** A message arrived in a frame that shows this status. It left in a frame of the server that began at
	 * SentTicks. */
	void NoteReceived(int64 SentTicks, int64 FrameTicks, const FNetClockStatus& Shown);

	/** How far to predict ahead of what a frame shows, and how far to show others behind it, in ms. Huge
	 * until known. */
	double GetAheadMs(int64 FrameTicks, int64 ShownTicks) const;
	double GetBehindMs(int64 FrameTicks, int64 ShownTicks) const;
};

/** What a server knows about a player's connection, and what the game allows, in ms. */
struct FNetClockPath
{
	double RoundTripMs = 0.0;
	double JitterMs = 0.0;
	double InterpolationMs = 0.0;
	double MaxRewindMs = 0.0;
};

namespace NetClock
{
	/** False if a number is out of range, or if there is no library. */
	bool Rewind(int64 ClaimedTicks, int64 ArrivedTicks, const FNetClockPath& Path, FNetClockRewind& Result);
}
