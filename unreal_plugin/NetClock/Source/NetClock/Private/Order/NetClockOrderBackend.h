// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Order/NetClockOrder.h"

struct FNetClockStatus;
struct netclock_lead;

/** Client: learns how long messages take. Times are the server's, in ticks: on the server its own, here as a
 * frame shows it. */
class FNetClockLead : public TNetClockOwner<netclock_lead>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockLead> Create();

	using TNetClockOwner::TNetClockOwner;
	~FNetClockLead();

	/** A message left in a frame that showed this status. Numbers are the caller's. */
	void NoteSent(int64 Message, const FNetClockStatus& Shown);

	/** The server handled it at ArrivedTicks. */
	void NoteArrived(int64 Message, int64 ArrivedTicks);

	/** A message arrived in a frame that shows this status. It left in a frame of the server that began at
	 * SentTicks. */
	void NoteReceived(int64 SentTicks, const FNetClockStatus& Shown);

	/** How far to predict ahead, and how far to show others behind, in ms. Huge until known. */
	double GetAheadMs() const;
	double GetBehindMs() const;
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
	/** Both are false if a number is out of range, or if there is no library. */
bool Arbitrate(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock, double Confidence,
	ENetClockOrder& Order, double& Probability, bool& bProven);
bool Rewind(int64 ClaimedTicks, int64 ArrivedTicks, const FNetClockPath& Path, FNetClockRewind& Rewind);
}
