// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Start/NetClockStartLink.h"

#include "Misc/Guid.h"
#include "Start/NetClockStartBackend.h"

namespace
{
	/**
	 * Messages about starts that the server reads of one player. 4 a second say how good its clock is. While
	 * a start is announced, up to 20 a second confirm it.
	 */
	constexpr double MessagesPerSecond = 40.0;
	constexpr double MessagesInARow = 40.0;
}

bool FNetClockStartLink::Follow(const FNetClockStartNews& News, int32 World, const FNetClockClient& Client,
	int64 Now, FNetClockProgress& Progress)
{
	// Server and clients do not travel at the same moment.
	if (News.World == 0 || News.World != World)
	{
		return false;
	}
	if (!Participant.IsValid() || ParticipantWorld != World)
	{
		Participant = FNetClockParticipant::Create(FGuid::NewGuid());
		ParticipantWorld = World;
	}
	if (Participant.IsValid())
	{
		Progress = Participant->Tick(Client, Now);
	}
	return Participant.IsValid();
}

bool FNetClockStartLink::TakeNews(const FNetClockStartNews& News)
{
	const bool bNew = News.StartedTicks != TakenTicks;
	TakenTicks = News.StartedTicks;
	return bNew;
}

bool FNetClockStartLink::NextMessage(
	const FNetClockStartNews& News, int32& World, FNetClockDatagram& Datagram)
{
	World = ParticipantWorld;
	return Participant.IsValid() && ParticipantWorld == News.World && Participant->NextMessage(Datagram);
}

void FNetClockStartLink::Receive(int32 World, const FNetClockDatagram& Datagram)
{
	if (Participant.IsValid() && World == ParticipantWorld)
	{
		Participant->Receive(Datagram);
	}
}

bool FNetClockStartLink::Admit(int64 Now)
{
	const bool bAdmitted = Budget.Spend(Now, MessagesInARow, MessagesPerSecond);
	Dropped += bAdmitted ? 0 : 1;
	return bAdmitted;
}
