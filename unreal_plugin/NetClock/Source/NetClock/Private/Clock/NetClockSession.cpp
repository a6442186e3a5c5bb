// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The server side of a session, and the code that both sides share. The client side is in
// NetClockSessionClient.cpp.

#include "NetClock/Clock/NetClockSession.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"

UNetClockSession::FConfigurer UNetClockSession::Configurer =
	[](netclock::guest_config*, netclock::host_config*) {};

UNetClockSession* UNetClockSession::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>()
											 : nullptr;
}

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	ServerEpoch = NetClock::DrawEpoch();
}

void UNetClockSession::Deinitialize()
{
	EndAll();
	Super::Deinitialize();
}

void UNetClockSession::EndAll()
{
	static_cast<void>(Remember());
	++Generation;
	OnEnding.Broadcast(*this);
	Guest.Reset();
	History.Reset();
	Host.Reset();
	Players.Reset();
}

TSharedPtr<netclock::guest> UNetClockSession::MakeReader()
{
	return NetClock::IsLibraryUsable()
		? NetClock::Owned(netclock::guest::create(NetClock::DrawSeed()))
		: nullptr;
}

void UNetClockSession::ServeOffset(int64 OffsetTicks)
{
	// Use a new epoch, because clients must not confuse this run with an earlier one.
	ServerEpoch = NetClock::DrawEpoch();
	ServerOffset = OffsetTicks;
	// End the client side as well, because a server does not follow another server.
	EndAll();
	bKeeps = bUnconfirmed = bAnswered = false;
	Decision = ENetClockDecision::None;
}

netclock::host* UNetClockSession::GetHost()
{
	if (bKeeps || !NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	if (!Host.IsValid())
	{
		netclock::host_config Config = NetClock::HostConfigOf(UNetClockSettings::Get());
		Configurer(nullptr, &Config);
		Host = NetClock::Owned(netclock::host::create(
			static_cast<std::uint64_t>(ServerEpoch), NetClock::DrawSeed(), Config));
		History = MakeReader();
		Blob.Reset();
		++Generation;
	}
	return Host.Get();
}

UNetClockComponent* UNetClockSession::GetPlayer(uint64 Number) const
{
	const bool bKnown = Number < static_cast<std::uint64_t>(Players.Num());
	return bKnown ? Players[static_cast<int32>(Number)].Get() : nullptr;
}

int32 UNetClockSession::NumberOf(const UNetClockComponent& Player) const
{
	const int32 Number = Player.PlayerNumber;
	return Players.IsValidIndex(Number) && Players[Number] == &Player ? Number : -1;
}

int32 UNetClockSession::Admit(UNetClockComponent& Player)
{
	const int32 Known = NumberOf(Player);
	if (Known >= 0)
	{
		return Known;
	}
	int32 Number = 0;
	while (Number < Players.Num() && Players[Number].IsValid())
	{
		++Number;
	}
	static_cast<void>(Host->dismiss(static_cast<std::uint64_t>(Number)));
	if (Host->admit(static_cast<std::uint64_t>(Number)) != netclock::status::ok)
	{
		if (!bLoggedFull)
		{
			bLoggedFull = true;
			UE_LOG(LogNetClock, Warning,
				TEXT("NetClock serves %u players at a time. Other players use the engine's clock."),
				NetClock::HostCapacity);
		}
		return -1;
	}
	if (Number == Players.Num())
	{
		Players.Add(nullptr);
	}
	Players[Number] = &Player;
	Player.PlayerNumber = Number;
	return Number;
}

bool UNetClockSession::ReceiveFromPlayer(
	UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks)
{
	netclock::host* To = GetHost();
	const int32 Number = To ? Admit(Player) : -1;
	if (Number < 0)
	{
		return false;
	}
	static_cast<void>(To->polled(NetClock::ServerTime(ServerTicks(PolledTicks))));
	bAnswered = true;
	return To->receive(static_cast<std::uint64_t>(Number), Bytes.GetData(), static_cast<size_t>(Bytes.Num()),
			   NetClock::ServerTime(ServerTicks(Arrived))) == netclock::status::ok;
}

void UNetClockSession::Dismiss(const UNetClockComponent& Player)
{
	const int32 Number = NumberOf(Player);
	if (Number >= 0)
	{
		Players[Number] = nullptr;
		static_cast<void>(Host->dismiss(static_cast<std::uint64_t>(Number)));
	}
}

const TArray<uint8>& UNetClockSession::TakeBlob()
{
	if (!Host.IsValid() || !History.IsValid())
	{
		return Blob;
	}
	const auto Now = Host->blob();
	const TArray<uint8> Bytes = Now ? NetClock::BytesOf(Now->bytes, Now->size) : Blob;
	if (!(Bytes == Blob))
	{
		Blob = Bytes;
		static_cast<void>(History->read_blob(Now->bytes.data(), Now->size));
	}
	return Blob;
}
