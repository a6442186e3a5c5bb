// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Base/NetClockBudget.h"
#include "NetClock/Base/NetClockDatagram.h"
#include "NetClock/Start/NetClockStartTypes.h"

class FNetClockClient;
class FNetClockParticipant;
struct FNetClockProgress;

/** One player's part in starts. The component carries its messages. */
class FNetClockStartLink
{
public:
	/** Client: takes part in the starts of one of the server's worlds. False if the server's news are about
	 * another world. */
	bool Follow(const FNetClockStartNews& News, int32 World, const FNetClockClient& Client, int64 Now,
		FNetClockProgress& Progress);

	/** Client without a clock: true once for each start that the news report as begun, also through
	 * travel. */
	bool TakeNews(const FNetClockStartNews& News);

	/** Client: the next message to the server, and the world that it is about. False if none is due. */
	bool NextMessage(const FNetClockStartNews& News, int32& World, FNetClockDatagram& Datagram);

	/** Client: a message of the server arrived. */
	void Receive(int32 World, const FNetClockDatagram& Datagram);

	/** Server: counts a message of the player. False if it is to be dropped. */
	bool Admit(int64 Now);
	int64 GetDropped() const { return Dropped; }

private:
	TSharedPtr<FNetClockParticipant> Participant;
	/** The server's world whose starts it takes part in. */
	int32 ParticipantWorld = 0;
	int64 TakenTicks = 0;
	FNetClockBudget Budget;
	int64 Dropped = 0;
};
