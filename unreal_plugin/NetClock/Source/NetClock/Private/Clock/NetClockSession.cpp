// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The session of a server, and the code that servers and clients share. NetClockSessionClient.cpp contains
// the client's part.

#include "NetClock/Clock/NetClockSession.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConfig.h"
#include "Session/NetClockReadings.h"

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
		? NetClock::Made(netclock::guest::create(NetClock::SeedOf(FGuid::NewGuid())))
		: nullptr;
}

void UNetClockSession::ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs)
{
	// The epoch is new, because clients must not mix this run with an earlier one.
	ServerEpoch = NetClock::DrawEpoch();
	ServerOffset = OffsetTicks;
	Served.ServerEpoch = ServerEpoch;
	Served.Timescale = Timescale;
	UpdateDispersion(DispersionMs);
	// A server does not follow another server.
	EndAll();
	bKeeps = bUnconfirmed = bConfirmed = bAnswered = false;
}

void UNetClockSession::UpdateDispersion(double DispersionMs)
{
	Served.DispersionMs = DispersionMs;
	ServedTicks = NetClock::LocalTicks();
}

FNetClockAuthority UNetClockSession::GetServedAuthority() const
{
	FNetClockAuthority Now = Served;
	if (Served.ServerEpoch == 0)
	{
		// The server serves its own timescale.
		Now.ServerEpoch = Now.Timescale = ServerEpoch;
		return Now;
	}
	const double PassedMs = NetClock::TicksToMs(NetClock::LocalTicks() - ServedTicks);
	Now.DispersionMs +=
		FMath::Max(0.0, PassedMs) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 1.0e-6;
	return Now;
}

netclock::host* UNetClockSession::GetHost()
{
	if (bAsking || bKeeps || !NetClock::IsLibraryUsable())
	{
		return nullptr;
	}
	if (!Host.IsValid())
	{
		Host = NetClock::Made(netclock::host::create(static_cast<std::uint64_t>(ServerEpoch),
			NetClock::SeedOf(FGuid::NewGuid()), NetClock::HostConfigOf(UNetClockSettings::Get())));
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

bool UNetClockSession::ReceiveFromPlayer(
	UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks)
{
	netclock::host* To = GetHost();
	if (!To)
	{
		return false;
	}
	int32 Number = NumberOf(Player);
	if (Number < 0)
	{
		Number = 0;
		while (Number < Players.Num() && Players[Number].IsValid())
		{
			++Number;
		}
		static_cast<void>(To->dismiss(static_cast<std::uint64_t>(Number)));
		if (To->admit(static_cast<std::uint64_t>(Number)) != netclock::status::ok)
		{
			if (!bLoggedFull)
			{
				bLoggedFull = true;
				UE_LOG(LogNetClock, Warning,
					TEXT("NetClock serves %u players at a time. Other players use the engine's clock."),
					NetClock::HostCapacity);
			}
			return false;
		}
		if (Number == Players.Num())
		{
			Players.Add(nullptr);
		}
		Players[Number] = &Player;
		Player.PlayerNumber = Number;
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
		static_cast<void>(
			Host.IsValid() ? Host->dismiss(static_cast<std::uint64_t>(Number)) : netclock::status::ok);
	}
}

void UNetClockSession::KeepBlob()
{
	if (!Host.IsValid() || !History.IsValid())
	{
		return;
	}
	const auto Now = Host->blob();
	bool bSame = Now && static_cast<size_t>(Blob.Num()) == Now->size;
	for (int32 At = 0; bSame && At < Blob.Num(); ++At)
	{
		bSame = Blob[At] == static_cast<uint8>(Now->bytes[static_cast<size_t>(At)]);
	}
	if (Now && !bSame)
	{
		Blob = NetClock::BytesOf(Now->bytes, Now->size);
		static_cast<void>(History->read_blob(Now->bytes.data(), Now->size));
		OnBlobChanged.Broadcast(*this);
	}
}
