// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Sends a world's datagrams at the end of each frame.

#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"

FNetClockFrameEnded UNetClockSubsystem::OnFrameEnding;
FNetClockFrameEnded UNetClockSubsystem::OnFrameEnded;
FNetClockReporting UNetClockSubsystem::OnReporting;

// The engine broadcasts this delegate for every world in the process, including other PIE worlds.
void UNetClockSubsystem::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld() || NetClock::IsReplay(*World))
	{
		return;
	}
	if (const AGameStateBase* State = NetClock::GetLiveGameState(*World))
	{
		// Remember the displayed world time, so that it does not go backwards in later frames.
		ShownSeconds = ShowWorldTime(*State, State->AGameStateBase::GetServerWorldTimeSeconds());
	}
	OnFrameEnding.Broadcast(World);
	if (World->GetNetMode() == NM_Client)
	{
		SendToServer();
	}
	else
	{
		PublishWorld();
		SendToPlayers();
		AttendPlayers();
	}
	OnFrameEnded.Broadcast(World);
}

// In split screen, the first player with a component sends for everyone on this machine.
void UNetClockSubsystem::SendToServer()
{
	UNetClockComponent* Asks = nullptr;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It && !Asks; ++It)
	{
		Asks = UNetClockComponent::OfLocal(It->Get());
	}
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
		static_cast<void>(Asks->Send(NetClock::BytesOf(Due->bytes, Due->size), Due->reliable));
	}
	Asks->SendHeld();
}

void UNetClockSubsystem::AttendPlayers()
{
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		APlayerController* Player = It->Get();
		if (!Player || Player->IsLocalController())
		{
			continue;
		}
		UNetClockComponent* Component = UNetClockComponent::Of(Player);
		if (!Component)
		{
			// Do not name the component, because the name could clash with one of the controller's
			// subobjects.
			Component = NewObject<UNetClockComponent>(Player);
			Component->RegisterComponent();
		}
		Component->bServerHasNoClock = Component->bServerHasNoClock || !NetClock::IsLibraryUsable();
		Component->ServerBoot = NetClock::BootId();
		Component->SendHeld();
	}
}

void UNetClockSubsystem::SendToPlayers()
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
		if (UNetClockComponent* Player = Session->GetPlayer(Due->player))
		{
			static_cast<void>(
				Player->Send(NetClock::BytesOf(Due->bytes, Due->size), Player->AnswersReliably()));
		}
	}
}
