// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockPeer.h"

#include "NetClock/Base/NetClockBase.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClockCLibrary.h"

namespace
{
	UGameInstance* GameOf(const UObject* WorldContextObject)
	{
		const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
		return World ? World->GetGameInstance() : nullptr;
	}

	bool IsOfGame(const UWorld* World, const UObject* Game)
	{
		return World && World->GetGameInstance() && World->GetGameInstance() == Game;
	}

	netclock::seed DrawSeed()
	{
		const FGuid Drawn = FGuid::NewGuid();
		return {NetClock::HighOf(Drawn), NetClock::LowOf(Drawn)};
	}

	TArray<uint8> BytesOf(const netclock::peer_datagram& Datagram)
	{
		return TArray<uint8>(
			reinterpret_cast<const uint8*>(Datagram.data()), static_cast<int32>(Datagram.size()));
	}

	FNetClockPeerStatus StatusOf(const netclock::peer_reading& Reading)
	{
		FNetClockPeerStatus Result;
		Result.Stage = NetClock::Same<ENetClockPeerStage::Ended, netclock::peer_stage::ended>(Reading.stage);
		Result.bIsPrimary = Reading.leads;
		Result.Rejection =
			NetClock::Same<ENetClockRejection::NotLoggedIn, netclock::rejection::login>(Reading.rejection);
		Result.Slot = static_cast<int32>(Reading.slot);
		Result.Players = static_cast<int32>(Reading.players);
		Result.SharedTicks = NetClock::TicksOf(Reading.time);
		Result.ErrorBoundMs = NetClock::MsOf(Reading.error_bound, NetClock::UnknownMs);
		Result.ExpectedErrorMs = NetClock::MsOf(Reading.expected_error, NetClock::UnknownMs);
		Result.InheritedMs = NetClock::MsOf(Reading.inherited);
		Result.RoundTripMs = NetClock::MsOf(Reading.round_trip, NetClock::UnknownMs);
		Result.Epoch = static_cast<int32>(Reading.epoch);
		Result.ServerEpoch = static_cast<int64>(Reading.authority);
		return Result;
	}
}

UNetClockPeer* UNetClockPeer::JoinGame(const UObject* WorldContextObject, int64 Game)
{
	UGameInstance* Instance = GameOf(WorldContextObject);
	if (!Instance || !NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	auto Created = netclock::peer::create(static_cast<std::uint64_t>(Game), DrawSeed());
	if (!Created)
	{
		return nullptr;
	}
	UNetClockPeer* Made = NewObject<UNetClockPeer>(Instance);
	Made->Peer = MakeShared<netclock::peer>(MoveTemp(*Created));
	// The delegates only hold weak references to the object.
	FWorldDelegates::OnWorldTickStart.AddUObject(Made, &UNetClockPeer::OnTickStart);
	FWorldDelegates::OnWorldPostActorTick.AddUObject(Made, &UNetClockPeer::OnPostActorTick);
	return Made;
}

void UNetClockPeer::OnTickStart(UWorld* World, ELevelTick, float)
{
	if (!IsOfGame(World, GetOuter()))
	{
		return;
	}
	const FNetClockPeerStatus Before = Status;
	Status = StatusOf(*Peer->read(NetClock::LocalTime(NetClock::LocalTicks())));
	if (Status.Stage != Before.Stage || Status.bIsPrimary != Before.bIsPrimary)
	{
		OnPeerChanged.Broadcast(Status);
	}
}

void UNetClockPeer::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (IsOfGame(World, GetOuter()))
	{
		RunNow();
	}
}

void UNetClockPeer::RunNow()
{
	while (Peer.IsValid())
	{
		const auto Message = Peer->next_message(NetClock::LocalTime(NetClock::LocalTicks()));
		if (!Message)
		{
			return;
		}
		OnSend.Broadcast(BytesOf(*Message));
	}
}

bool UNetClockPeer::ReceiveBytes(const TArray<uint8>& Bytes)
{
	return Peer.IsValid() &&
		Peer->receive(Bytes.GetData(), static_cast<size_t>(Bytes.Num()),
			NetClock::LocalTime(NetClock::LocalTicks())) == netclock::status::ok;
}

void UNetClockPeer::LeaveGame()
{
	if (Peer.IsValid())
	{
		static_cast<void>(Peer->leave());
	}
}

UNetClockRelay* UNetClockRelay::OpenRelay(
	const UObject* WorldContextObject, int32 MaxGames, int32 MaxPlayers, int32 PlayersToBegin)
{
	UGameInstance* Instance = GameOf(WorldContextObject);
	// Zero would select the library's default.
	const bool bInRange = MaxGames >= 1 && MaxPlayers >= 1 && PlayersToBegin >= 1;
	if (!Instance || !NetClock::IsLibraryUsable() || !bInRange)
	{
		return nullptr;
	}
	netclock::relay_config Config;
	Config.games = static_cast<std::uint32_t>(MaxGames);
	Config.slots = static_cast<std::uint32_t>(MaxPlayers);
	Config.players = static_cast<std::uint32_t>(PlayersToBegin);
	auto Created = netclock::relay::create(DrawSeed(), Config);
	if (!Created)
	{
		return nullptr;
	}
	UNetClockRelay* Made = NewObject<UNetClockRelay>(Instance);
	Made->Relay = MakeShared<netclock::relay>(MoveTemp(*Created));
	FWorldDelegates::OnWorldPostActorTick.AddUObject(Made, &UNetClockRelay::OnPostActorTick);
	return Made;
}

void UNetClockRelay::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (IsOfGame(World, GetOuter()))
	{
		RunNow();
	}
}

void UNetClockRelay::RunNow()
{
	while (Relay.IsValid())
	{
		const auto Message = Relay->next_message(NetClock::LocalTime(NetClock::LocalTicks()));
		if (!Message)
		{
			return;
		}
		OnSend.Broadcast(static_cast<int64>(Message->connection), BytesOf(Message->bytes));
	}
}

bool UNetClockRelay::ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes)
{
	return Relay.IsValid() &&
		Relay->receive(static_cast<std::uint64_t>(Connection), Bytes.GetData(),
			static_cast<size_t>(Bytes.Num()),
			NetClock::LocalTime(NetClock::LocalTicks())) == netclock::status::ok;
}

void UNetClockRelay::CloseConnection(int64 Connection)
{
	if (Relay.IsValid())
	{
		static_cast<void>(Relay->disconnect(
			static_cast<std::uint64_t>(Connection), NetClock::LocalTime(NetClock::LocalTicks())));
	}
}
