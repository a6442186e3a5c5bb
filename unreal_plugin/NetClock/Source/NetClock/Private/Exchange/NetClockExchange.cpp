// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockExchange.h"

#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "Exchange/NetClockPlayerWatch.h"
#include "Engine/NetDriver.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Link/NetClockLink.h"
#include "NetClock/Start/NetClockStart.h"
#include "NetClock/Utc/NetClockUtc.h"

namespace
{
	/** A finding that is not reported yet. */
	struct FSuspected
	{
		TWeakObjectPtr<APlayerController> Player;
		FNetClockVerdict Verdict;
	};
}

FNetClockFrameEnded UNetClockExchange::OnFrameEnded;

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

// The delegate is called for every world of the process: in PIE there are several.
void UNetClockExchange::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!World || World != GetWorld() || World->IsPlayingReplay() || !Clock)
	{
		return;
	}
	UNetClockUtc* Utc = UNetClockUtc::Of(this);
	if (Utc && World->GetNetMode() != NM_Client)
	{
		Utc->Observe(Clock->GetStatus());
	}
	switch (World->GetNetMode())
	{
	case NM_Client:
		AskServer();
		break;
	case NM_DedicatedServer:
	case NM_ListenServer:
		ServePlayers(Clock->PublishWorld());
		break;
	default:
		Clock->PublishWorld();
		if (UNetClockLink* Link = UNetClockLink::Of(this))
		{
			Link->Close();
		}
		break;
	}
	if (UNetClockStart* Start = World->GetSubsystem<UNetClockStart>())
	{
		Start->EndFrame();
	}
	OnFrameEnded.Broadcast(World);
}

void UNetClockExchange::AskServer()
{
	// With a split screen, the first player who can asks for all of them, and one link serves all.
	UNetClockComponent* Asks = nullptr;
	FNetClockLinkOffer Offer;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		UNetClockComponent* Component = UNetClockComponent::OfLocal(It->Get());
		Asks = Asks ? Asks : Component;
		if (Component && !Offer.IsGiven())
		{
			Offer = Component->LinkOffer;
		}
	}
	UNetClockLink* Link = UNetClockLink::Of(this);
	UNetDriver* Driver = GetWorld()->GetNetDriver();
	if (Link && Driver)
	{
		Link->Follow(Offer, Driver->ServerConnection);
	}
	if (Asks)
	{
		Asks->Ask();
	}
}

void UNetClockExchange::ServePlayers(uint32 ChangedClocks)
{
	Newest = FNetClockServing();
	Newest.ChangedClocks = ChangedClocks;
	// Reported after all players are served: a listener may throw a player out.
	TArray<FSuspected> Suspected;
	const bool bAttach = UNetClockSettings::Get().bAttachToEveryPlayer;
	const UNetClockSession* Session = UNetClockSession::Of(this);
	UNetClockLink* Link = UNetClockLink::Of(this);
	if (Link && Session && Session->IsAsking())
	{
		// It tells nobody the time yet.
		Link->Close();
	}
	else if (Link)
	{
		Link->Serve();
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
			Component = NewObject<UNetClockComponent>(Player, TEXT("NetClock"));
			Component->RegisterComponent();
		}
		if (Component)
		{
			Component->Serve(Newest);
			FNetClockVerdict Verdict;
			if (Component->Find<FNetClockPlayerWatch>()->TakeFinding(Verdict))
			{
				Suspected.Add({Player, Verdict});
			}
		}
	}
	for (const FSuspected& One : Suspected)
	{
		if (APlayerController* Player = One.Player.Get())
		{
			OnPlayerClockSuspected.Broadcast(Player, One.Verdict);
		}
	}
}

FNetClockVerdict UNetClockExchange::GetPlayerVerdict(const APlayerController* Player) const
{
	UNetClockComponent* Component = UNetClockComponent::Of(Player);
	return Component ? Component->Find<FNetClockPlayerWatch>()->GetVerdict() : FNetClockVerdict();
}

void UNetClockExchange::ExcusePlayerClockSeconds(APlayerController* Player, double Seconds)
{
	if (UNetClockComponent* Component = UNetClockComponent::Of(Player))
	{
		Component->Find<FNetClockPlayerWatch>()->Excuse(Seconds);
	}
}
