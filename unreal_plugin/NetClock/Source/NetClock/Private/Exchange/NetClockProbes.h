// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockComponent.h"

class FNetClockClient;

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

/** The exchange with one player: the client's probes and the server's replies. */
class FNetClockProbes : public FNetClockSubject
{
public:
	static constexpr ENetClockSubject Subject = ENetClockSubject::Exchange;
	using FNetClockSubject::FNetClockSubject;

	/** Client: sends a probe if one is due. */
	void Ask() override;

	/** Server: answers the probes of this frame. */
	void Serve(FNetClockServing& Frame) override;

	void ReceiveProbe(const FNetClockProbe& Probe) override;
	void ReceiveReply(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published,
		int64 ThroughTicks) override;

	/** Server: the smallest round trip of this player in the last seconds, in ms. Huge until known. */
	double GetRoundTripMs() const { return RoundTrip.GetMs(); }

private:
	bool IsDue(FNetClockClient& Client, FNetClockRequest& Request, bool& bReliable);

	/** Server: the probes of this frame. */
	TArray<FNetClockProbe> Pending;
	FNetClockBudget Budget;
	FNetClockRoundTrip RoundTrip;
	int64 DroppedBefore = 0;

	/** Client: when it last sent one, in ticks of its clock. */
	int64 SentTicks = 0;
	/** Client: the server's send time of the newest reply that it accepted. */
	int64 NewestReplyTicks = 0;
};
