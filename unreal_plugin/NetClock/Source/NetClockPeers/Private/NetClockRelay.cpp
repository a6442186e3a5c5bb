// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockPeer.h"

#include "NetClock/Base/NetClockBase.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClockPeerBackend.h"

namespace
{
	/** The number of streams that may be open in addition to one per slot. They are for peers without a
	 * slot. */
	constexpr int32 MoreStreams = 64;
}

UNetClockRelay* UNetClockRelay::OpenRelay(const UObject* WorldContextObject, int32 MaxGames, int32 MaxPlayers,
	int32 PlayersToBegin, bool bOverStreams)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	UGameInstance* Instance = World ? World->GetGameInstance() : nullptr;
	const TSharedPtr<FNetClockRelayHandle> Handle = Instance
		? FNetClockRelayHandle::Create(MaxGames, MaxPlayers, PlayersToBegin, FGuid::NewGuid())
		: nullptr;
	if (!Handle.IsValid())
	{
		return nullptr;
	}
	UNetClockRelay* Made = NewObject<UNetClockRelay>(Instance);
	Made->Relay = Handle;
	Made->bStreams = bOverStreams;
	Made->MaxStreams = MaxGames * MaxPlayers + MoreStreams;
	// The delegate references the object weakly.
	FWorldDelegates::OnWorldPostActorTick.AddUObject(Made, &UNetClockRelay::OnPostActorTick);
	return Made;
}

void UNetClockRelay::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (World && World->GetGameInstance() && World->GetGameInstance() == GetOuter())
	{
		RunNow();
	}
}

void UNetClockRelay::RunNow()
{
	uint8 Message[NetClock::MessageMost];
	int64 Connection = 0;
	while (Relay.IsValid())
	{
		const int32 Length = Relay->NextMessage(NetClock::LocalTicks(), Connection, Message);
		if (Length <= 0)
		{
			return;
		}
		OnSend.Broadcast(Connection, TArray<uint8>(Message, Length));
	}
}

TSharedPtr<FNetClockStreamReader> UNetClockRelay::FramesOf(int64 Connection)
{
	for (const FStream& Stream : Streams)
	{
		if (Stream.Connection == Connection)
		{
			return Stream.Frames;
		}
	}
	if (Streams.Num() >= MaxStreams)
	{
		return nullptr;
	}
	FStream New;
	New.Connection = Connection;
	New.Frames = FNetClockStreamReader::Create();
	Streams.Add(New);
	return New.Frames;
}

bool UNetClockRelay::ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes)
{
	const int64 Arrived = NetClock::LocalTicks();
	if (!bStreams)
	{
		HandleMessage(Connection, Bytes.GetData(), Bytes.Num(), Arrived);
		return true;
	}
	const TSharedPtr<FNetClockStreamReader> Frames = FramesOf(Connection);
	return Frames.IsValid() &&
		Frames->Read(Bytes, [this, Connection, Arrived](const uint8* Message, int32 Length)
			{ HandleMessage(Connection, Message, Length, Arrived); });
}

void UNetClockRelay::HandleMessage(int64 Connection, const uint8* Message, int32 Length, int64 Arrived)
{
	Refused += Relay.IsValid() && Length > 0 && Relay->Receive(Connection, Message, Length, Arrived) ? 0 : 1;
}

void UNetClockRelay::CloseConnection(int64 Connection)
{
	Streams.RemoveAll([Connection](const FStream& Stream) { return Stream.Connection == Connection; });
	if (Relay.IsValid())
	{
		Relay->Disconnect(Connection, NetClock::LocalTicks());
	}
}

bool UNetClockRelay::GetGame(int64 Game, FNetClockRelayGame& Found) const
{
	Found = FNetClockRelayGame();
	return Relay.IsValid() && Relay->GetGame(Game, Found);
}
