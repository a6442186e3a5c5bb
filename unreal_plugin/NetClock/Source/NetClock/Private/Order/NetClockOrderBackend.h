// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Order/NetClockOrder.h"

struct netclock_lead;

/** Client: learns from messages how long they take. Times are the server's, in ticks: its own, and as a frame here shows it. */
class FNetClockLead
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockLead> Create();

	explicit FNetClockLead(netclock_lead* InHandle) : Handle(InHandle) {}
	~FNetClockLead();
	FNetClockLead(const FNetClockLead&) = delete;
	FNetClockLead& operator=(const FNetClockLead&) = delete;

	/** A message of a frame that showed SentTicks, of that epoch, was handled by the server at ArrivedTicks. */
	void NoteToServer(int32 Epoch, int64 SentTicks, int64 ArrivedTicks);

	/** A message of a frame of the server that began at SentTicks came in a frame that shows ArrivedTicks. */
	void NoteToClient(int32 Epoch, int64 SentTicks, int64 ArrivedTicks);

	/** Huge until known. */
	double GetAheadMs() const;
	double GetBehindMs() const;

private:
	netclock_lead* Handle;
};

/** A server's knowledge of a player's connection, and what the game allows; in ms. */
struct FNetClockPath
{
	double RoundTripMs = 0.0;
	double JitterMs = 0.0;
	double InterpolationMs = 0.0;
	double MaxRewindMs = 0.0;
};

namespace NetClock
{
	/** False if something makes no sense, or there is no library. */
	bool Arbitrate(const FNetClockStamp& First, const FNetClockStamp& Second, bool bSameClock, double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven);
	bool Rewind(int64 ClaimedTicks, int64 ArrivedTicks, const FNetClockPath& Path, FNetClockRewind& Rewind);
}
