// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockComponent.h"

/** The clocks of the world, as one player hears of them: the server sends segments, and again until the
 * player
 * has them. */
class FNetClockSegments : public FNetClockSubject
{
public:
	static constexpr ENetClockSubject Subject = ENetClockSubject::World;
	using FNetClockSubject::FNetClockSubject;

	/** Server: sends what changed, or what the player does not know. */
	void Serve(FNetClockServing& Frame) override;
	void OnProbe(const FNetClockProbe& Probe) override;

	void ReceiveSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment) override;

	/** Client: a segment came that the server does not know to have arrived. Between rare probes, one more
	 * confirms it. */
	bool WantsProbe() const { return bWantsProbe; }
	void NoteConfirmed() { bWantsProbe = false; }

private:
	bool IsToBeResent(const FNetClockWorldKnowledge& Published, bool bChanged);

	bool bWantsProbe = false;
	/** Server: what the client knew of the world when it sent its newest probe, and when that came. */
	FNetClockWorldKnowledge ClientKnows;
	int64 ProbedTicks = 0;
	bool bProbed = false;
	/** Server: when segments were last sent again, and how often since the last change. */
	int64 ResentTicks = 0;
	int32 Resent = 0;
};
