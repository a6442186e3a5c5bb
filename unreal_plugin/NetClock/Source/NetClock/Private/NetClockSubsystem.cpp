// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSubsystem.h"

#include "Debug/DebugDrawService.h"
#include "Engine/GameInstance.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClockBackend.h"
#include "NetClockComponent.h"
#include "NetClockGraph.h"
#include "NetClockReport.h"
#include "NetClockSession.h"
#include "NetClockSettings.h"
#include "NetClockStats.h"

void UNetClockSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	TickStartHandle = FWorldDelegates::OnWorldTickStart.AddUObject(this, &UNetClockSubsystem::OnTickStart);
	PostActorTickHandle = FWorldDelegates::OnWorldPostActorTick.AddUObject(this, &UNetClockSubsystem::OnPostActorTick);
#if !UE_BUILD_SHIPPING
	Graph = MakeShared<FNetClockGraph>();
	DrawHandle = UDebugDrawService::Register(TEXT("Game"), FDebugDrawDelegate::CreateUObject(this, &UNetClockSubsystem::DrawGraph));
#endif
}

void UNetClockSubsystem::Deinitialize()
{
	FWorldDelegates::OnWorldTickStart.Remove(TickStartHandle);
	FWorldDelegates::OnWorldPostActorTick.Remove(PostActorTickHandle);
#if !UE_BUILD_SHIPPING
	UDebugDrawService::Unregister(DrawHandle);
#endif
	Super::Deinitialize();
}

bool UNetClockSubsystem::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return WorldType == EWorldType::Game || WorldType == EWorldType::PIE;
}

UNetClockSession* UNetClockSubsystem::GetSession() const
{
	const UGameInstance* Instance = GetWorld() ? GetWorld()->GetGameInstance() : nullptr;
	return Instance ? Instance->GetSubsystem<UNetClockSession>() : nullptr;
}

// The delegates tell of every world in the process: in PIE there are several.
void UNetClockSubsystem::OnTickStart(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld())
	{
		return;
	}
	FrameTicks = NetClock::LocalTicks();
	if (World->IsPlayingReplay())
	{
		// Nobody is there to ask, and the time of a recording is the engine's business.
		Status = FNetClockStatus();
		bWorldKnown = false;
	}
	else if (World->GetNetMode() == NM_Client)
	{
		ReadClient();
	}
	else
	{
		ReadOwnClock();
	}
}

void UNetClockSubsystem::OnPostActorTick(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld() || World->IsPlayingReplay())
	{
		return;
	}
	switch (World->GetNetMode())
	{
	case NM_Client:
		// With a split screen, one player asks for all.
		if (const UGameInstance* Instance = World->GetGameInstance())
		{
			const APlayerController* Player = Instance->GetFirstLocalPlayerController(World);
			if (UNetClockComponent* Component = Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr)
			{
				Component->SendDueProbe();
			}
		}
		break;
	case NM_DedicatedServer:
	case NM_ListenServer:
		FollowOwnWorld();
		ServePlayers();
		break;
	default:
		break;
	}
	ShowFrame();
}

void UNetClockSubsystem::ShowFrame()
{
#if !UE_BUILD_SHIPPING
	FNetClockReport Report;
	if (FNetClockReport::Of(GetWorld(), Report))
	{
		NetClock::ShowInStats(Report);
		Graph->Add(Report);
	}
#endif
}

#if !UE_BUILD_SHIPPING
void UNetClockSubsystem::DrawGraph(UCanvas* Canvas, APlayerController* Player)
{
	// The service calls for every world's view.
	if (Canvas && Player && Player->GetWorld() == GetWorld() && FNetClockGraph::IsWanted())
	{
		Graph->Draw(*Canvas);
	}
}
#endif

void UNetClockSubsystem::ReadOwnClock()
{
	const UNetClockSession* Session = GetSession();
	Status = FNetClockStatus();
	Status.State = ENetClockState::Synced;
	Status.bIsSynced = true;
	Status.ServerTicks = FrameTicks;
	Status.ErrorBoundMs = 0.0;
	Status.ExpectedErrorMs = 0.0;
	Status.RoundTripMs = 0.0;
	Status.ServerEpoch = Session ? Session->GetServerEpoch() : 0;
}

void UNetClockSubsystem::ReadClient()
{
	UNetClockSession* Session = GetSession();
	UNetDriver* Driver = GetWorld()->GetNetDriver();
	if (!Session || !Driver)
	{
		Status = FNetClockStatus();
		bWorldKnown = false;
		return;
	}
	bool bStartedOver = false;
	const TSharedPtr<FNetClockClient> Client = Session->ClientFor(Driver->ServerConnection, bStartedOver);
	if (!Client.IsValid())
	{
		return;
	}
	Status = Client->Read(FrameTicks);
	if (UNetClockSettings::Get().bOverrideWorldTime)
	{
		PlaceWorldTime();
	}
	else
	{
		bWorldKnown = false;
	}
	if (bStartedOver)
	{
		OnDiscontinuity.Broadcast(ENetClockCause::NewConnection, 0.0);
	}
	TellEvents();
}

void UNetClockSubsystem::TellEvents()
{
	const UNetClockSession* Session = GetSession();
	FNetClockEvent Event;
	// A copy: whoever hears of an event may end the session.
	const TSharedPtr<FNetClockClient> Client = Session ? Session->GetClient() : nullptr;
	while (Client.IsValid() && Client->NextEvent(Event))
	{
		switch (Event.Kind)
		{
		case FNetClockEvent::EKind::Synced:
			OnSynced.Broadcast();
			break;
		case FNetClockEvent::EKind::Discontinuity:
			OnDiscontinuity.Broadcast(Event.Cause, Event.JumpMs);
			break;
		case FNetClockEvent::EKind::Degraded:
		case FNetClockEvent::EKind::Recovered:
			OnDegraded.Broadcast(Event.Degradation);
			break;
		}
	}
}

void UNetClockSubsystem::ServePlayers()
{
	AnsweredInFrame = 0;
	DroppedInFrame = 0;
	const bool bAttach = UNetClockSettings::Get().bAttachToEveryPlayer;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		APlayerController* Player = It->Get();
		if (!Player || Player->IsLocalController())
		{
			continue;
		}
		UNetClockComponent* Component = Player->FindComponentByClass<UNetClockComponent>();
		if (!Component && bAttach)
		{
			Component = NewObject<UNetClockComponent>(Player, TEXT("NetClock"));
			Component->RegisterComponent();
		}
		if (Component)
		{
			Component->SendReplies(AnsweredInFrame, DroppedInFrame);
		}
	}
}

double UNetClockSubsystem::GetServerRealTimeSeconds() const
{
	return static_cast<double>(Status.ServerTicks) / static_cast<double>(NetClock::TicksPerSecond);
}

double UNetClockSubsystem::GetAgeSeconds(int64 ServerTicks) const
{
	if (!Status.bIsSynced)
	{
		return 0.0;
	}
	// As numbers with fraction before the difference is taken: what comes from elsewhere may be anything.
	return (static_cast<double>(Status.ServerTicks) - static_cast<double>(ServerTicks)) / static_cast<double>(NetClock::TicksPerSecond);
}
