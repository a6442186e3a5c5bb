// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockExchange.h"

#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockReadings.h"

namespace
{
	/** A growing dispersion is announced to players in steps of this size, in ms. If clocks drift by 100 ppm,
	 * that is every 10 s. */
	constexpr double DispersionStepMs = 1.0;

	TArray<uint8> BytesOf(const netclock::session_datagram& Datagram)
	{
		return TArray<uint8>(
			reinterpret_cast<const uint8*>(Datagram.bytes.data()), static_cast<int32>(Datagram.size));
	}

	/** Tells the players whose time the server serves. */
	void StateAuthority(const UNetClockSession& Session, netclock::host& Host)
	{
		const FNetClockAuthority Served = Session.GetServedAuthority();
		const double StatedMs = Served.Timescale == Served.ServerEpoch
			? Served.DispersionMs
			: (FMath::FloorToDouble(Served.DispersionMs / DispersionStepMs) + 1.0) * DispersionStepMs;
		static_cast<void>(Host.state_authority({static_cast<uint64>(Served.ServerEpoch),
			static_cast<uint64>(Served.Timescale), netclock::ticks{NetClock::MsToTicks(StatedMs)}}));
	}
}

FNetClockFrameEnded UNetClockExchange::OnFrameEnding;
FNetClockFrameEnded UNetClockExchange::OnFrameEnded;
FNetClockReporting UNetClockExchange::OnReporting;

UNetClockExchange* UNetClockExchange::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World ? World->GetSubsystem<UNetClockExchange>() : nullptr;
}

void UNetClockExchange::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	PostActorTickHandle =
		FWorldDelegates::OnWorldPostActorTick.AddUObject(this, &UNetClockExchange::OnPostActorTick);
}

void UNetClockExchange::Deinitialize()
{
	FWorldDelegates::OnWorldPostActorTick.Remove(PostActorTickHandle);
	Super::Deinitialize();
}

// The delegate is called for all worlds in the process, and PIE has several.
void UNetClockExchange::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!World || World != GetWorld() || NetClock::IsReplay(*World) || !Clock)
	{
		return;
	}
	const ENetMode Mode = World->GetNetMode();
	const bool bServes = Mode == NM_DedicatedServer || Mode == NM_ListenServer;
	Clock->KeepShown();
	if (Mode != NM_Client)
	{
		Clock->PublishWorld();
	}
	if (bServes)
	{
		PrepareToServe();
	}
	OnFrameEnding.Broadcast(World);
	if (bServes)
	{
		SendToPlayers();
	}
	else if (Mode == NM_Client)
	{
		SendToServer();
	}
	OnFrameEnded.Broadcast(World);
}

UNetClockComponent* UNetClockExchange::GetAsking() const
{
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		if (UNetClockComponent* Component = UNetClockComponent::OfLocal(It->Get()))
		{
			return Component;
		}
	}
	return nullptr;
}

void UNetClockExchange::SendToServer()
{
	UNetClockComponent* Asks = GetAsking();
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::guest* Guest = Session ? Session->GetGuest() : nullptr;
	if (!Asks || !Guest || Asks->bServerHasNoClock || !Asks->CanSend())
	{
		return;
	}
	Session->SetAsking(Asks);
	const netclock::local_time Now = NetClock::LocalTime(NetClock::LocalTicks());
	while (const auto Due = Guest->next(Now))
	{
		static_cast<void>(Asks->Send(BytesOf(*Due), Due->reliable));
	}
}

void UNetClockExchange::PrepareToServe()
{
	const bool bAttach = UNetClockSettings::Get().bAttachToEveryPlayer;
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = Session ? Session->GetHost() : nullptr;
	if (Host)
	{
		StateAuthority(*Session, *Host);
	}
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		APlayerController* Player = It->Get();
		if (!Player || Player->IsLocalController())
		{
			continue;
		}
		UNetClockComponent* Component = UNetClockComponent::Of(Player);
		if (!Component && bAttach)
		{
			// The component gets no name, because the controller may already have a subobject of any name.
			Component = NewObject<UNetClockComponent>(Player);
			Component->RegisterComponent();
		}
		if (Component)
		{
			Component->bServerHasNoClock = Component->bServerHasNoClock || !NetClock::IsLibraryUsable();
			Component->ServerBoot = NetClock::BootId();
		}
	}
}

void UNetClockExchange::SendToPlayers()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = Session ? Session->GetHost() : nullptr;
	if (!Host)
	{
		return;
	}
	const netclock::server_time Now = NetClock::ServerTime(Session->ServerTicks(NetClock::LocalTicks()));
	while (const auto Due = Host->next(Now))
	{
		UNetClockComponent* Player = Session->GetPlayer(Due->player);
		if (Player)
		{
			static_cast<void>(Player->Send(BytesOf(*Due), Player->AnswersReliably()));
		}
		else
		{
			static_cast<void>(Host->dismiss(Due->player));
		}
	}
}
