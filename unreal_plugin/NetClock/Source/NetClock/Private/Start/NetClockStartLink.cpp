// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Start/NetClockStartLink.h"

#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClock/Start/NetClockStart.h"
#include "Start/NetClockStartBackend.h"

namespace
{
	const bool bRegisteredStart = UNetClockComponent::Register<FNetClockStartLink>();

	/**
	 * Messages about starts that the server reads of one player. 4 a second say how good its clock is. While
	 * a start is announced, up to 20 a second confirm it.
	 */
	constexpr double MessagesPerSecond = 40.0;
	constexpr double MessagesInARow = 40.0;
}

bool FNetClockStartLink::Follow(
	int32 World, const FNetClockClient& Client, int64 Now, FNetClockProgress& Progress)
{
	const FNetClockStartNews& News = Component.StartNews;
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

bool FNetClockStartLink::TakeNews()
{
	const bool bNew = Component.StartNews.StartedTicks != TakenTicks;
	TakenTicks = Component.StartNews.StartedTicks;
	return bNew;
}

void FNetClockStartLink::SendDue()
{
	FNetClockDatagram Datagram;
	while (Participant.IsValid() && ParticipantWorld == Component.StartNews.World &&
		Participant->NextMessage(Datagram))
	{
		Component.Send(Subject, ParticipantWorld, Datagram);
	}
}

void FNetClockStartLink::Receive(int32 World, const FNetClockDatagram& Datagram)
{
	const UWorld* Here = Component.GetWorld();
	if (Here && Here->GetNetMode() == NM_Client)
	{
		if (Participant.IsValid() && World == ParticipantWorld)
		{
			Participant->Receive(Datagram);
		}
		return;
	}
	UNetClockStart* Start = Here ? Here->GetSubsystem<UNetClockStart>() : nullptr;
	if (!Budget.Spend(NetClock::LocalTicks(), MessagesInARow, MessagesPerSecond))
	{
		++Dropped;
	}
	else if (Start)
	{
		Start->Receive(Component, World, Datagram);
	}
}
