// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockPeer.h"

#include "NetClock/Base/NetClockBase.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClockPeerBackend.h"

UNetClockPeer* UNetClockPeer::JoinGame(const UObject* WorldContextObject, int64 Game, bool bOverStream)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	UGameInstance* Instance = World ? World->GetGameInstance() : nullptr;
	const TSharedPtr<FNetClockPeerHandle> Handle =
		Instance ? FNetClockPeerHandle::Create(Game, FGuid::NewGuid()) : nullptr;
	if (!Handle.IsValid())
	{
		return nullptr;
	}
	UNetClockPeer* Made = NewObject<UNetClockPeer>(Instance);
	Made->Peer = Handle;
	Made->Frames = bOverStream ? FNetClockStreamReader::Create() : nullptr;
	// The delegates reference the object weakly.
	FWorldDelegates::OnWorldTickStart.AddUObject(Made, &UNetClockPeer::OnTickStart);
	FWorldDelegates::OnWorldPostActorTick.AddUObject(Made, &UNetClockPeer::OnPostActorTick);
	return Made;
}

bool UNetClockPeer::IsOfThisGame(const UWorld* World) const
{
	return World && World->GetGameInstance() && World->GetGameInstance() == GetOuter();
}

void UNetClockPeer::OnTickStart(UWorld* World, ELevelTick, float)
{
	if (IsOfThisGame(World))
	{
		ReadClock();
	}
}

void UNetClockPeer::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (IsOfThisGame(World))
	{
		RunNow();
	}
}

void UNetClockPeer::ReadClock()
{
	const FNetClockPeerStatus Before = Status;
	Status = Peer.IsValid() ? Peer->Read(NetClock::LocalTicks()) : FNetClockPeerStatus();
	if (Status.Stage != Before.Stage || Status.Role != Before.Role)
	{
		OnPeerChanged.Broadcast(Status.Stage, Status.Role);
	}
}

void UNetClockPeer::RunNow()
{
	if (!Peer.IsValid())
	{
		return;
	}
	uint8 Message[NetClock::MessageMost];
	for (int32 Length = Peer->NextMessage(NetClock::LocalTicks(), Message); Length > 0;
		 Length = Peer->NextMessage(NetClock::LocalTicks(), Message))
	{
		OnSend.Broadcast(TArray<uint8>(Message, Length));
	}
}

bool UNetClockPeer::ReceiveBytes(const TArray<uint8>& Bytes)
{
	const int64 Arrived = NetClock::LocalTicks();
	if (!Frames.IsValid())
	{
		HandleMessage(Bytes.GetData(), Bytes.Num(), Arrived);
		return true;
	}
	// A copy, because a listener may release this object.
	const TSharedPtr<FNetClockStreamReader> Stream = Frames;
	return Stream->Read(Bytes,
		[this, Arrived](const uint8* Message, int32 Length) { HandleMessage(Message, Length, Arrived); });
}

void UNetClockPeer::HandleMessage(const uint8* Message, int32 Length, int64 Arrived)
{
	FNetClockGameMessage Game;
	if (Peer.IsValid() && Length > 0 && Peer->Receive(Message, Length, Arrived, Game))
	{
		OnGameMessage.Broadcast(Game);
	}
}

bool UNetClockPeer::SendGameMessage(int32 Number, const TArray<uint8>& Data)
{
	uint8 Message[NetClock::MessageMost];
	const int32 Length =
		Peer.IsValid() ? Peer->Stamp(NetClock::LocalTicks(), Number, Data.GetData(), Data.Num(), Message) : 0;
	if (Length > 0)
	{
		OnSend.Broadcast(TArray<uint8>(Message, Length));
	}
	return Length > 0;
}

void UNetClockPeer::LeaveGame()
{
	if (Peer.IsValid())
	{
		Peer->Leave();
	}
}
