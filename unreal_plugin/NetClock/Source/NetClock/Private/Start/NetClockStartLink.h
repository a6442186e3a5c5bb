// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Exchange/NetClockComponent.h"

class FNetClockClient;
class FNetClockParticipant;
struct FNetClockProgress;

/** One player's part in starts. The component carries its messages. */
class FNetClockStartLink : public FNetClockSubject
{
public:
	static constexpr ENetClockSubject Subject = ENetClockSubject::Start;
	using FNetClockSubject::FNetClockSubject;

	/** Client: takes part in the starts of one of the server's worlds. False if the server's news are about
	 * another world. */
	bool Follow(int32 World, const FNetClockClient& Client, int64 Now, FNetClockProgress& Progress);

	/** Client without a clock: true once for each start that the news report as begun, also through
	 * travel. */
	bool TakeNews();

	/** Client, end of the frame: sends the messages that are due. */
	void SendDue();

	/** A message of the other end arrived. */
	void Receive(int32 World, const FNetClockDatagram& Datagram) override;

	/** Server: the number of this player's messages that it dropped because they were too many. */
	int64 GetDropped() const { return Dropped; }

private:
	TSharedPtr<FNetClockParticipant> Participant;
	/** The server's world whose starts it takes part in. */
	int32 ParticipantWorld = 0;
	int64 TakenTicks = 0;
	FNetClockBudget Budget;
	int64 Dropped = 0;
};
