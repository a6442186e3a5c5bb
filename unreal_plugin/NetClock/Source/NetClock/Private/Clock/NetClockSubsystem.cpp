// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Clock/NetClockSubsystem.h"

#include "Debug/DebugDrawService.h"
#include "Engine/GameInstance.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "Clock/NetClockBackend.h"
#include "Exchange/NetClockComponent.h"
#include "Debug/NetClockGraph.h"
#include "Handover/NetClockHandover.h"
#include "Clock/NetClockLatencyBackend.h"
#include "Debug/NetClockReport.h"
#include "Clock/NetClockSession.h"
#include "Clock/NetClockSettings.h"
#include "Start/NetClockStart.h"
#include "Debug/NetClockStats.h"
#include "World/NetClockWorldClocks.h"

namespace
{
	/** Expected error of a good clock, in ms: what few notice. */
	constexpr double GoodMs = 5.0;

	/** Expected error of a fair clock, in ms: a frame at 60 frames a second. */
	constexpr double FairMs = 1000.0 / 60.0;

	/** A finding that is still to be told. */
	struct FSuspected
	{
		TWeakObjectPtr<APlayerController> Player;
		FNetClockVerdict Verdict;
	};
}

void UNetClockSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	BegunTicks = NetClock::LocalTicks();
	TickStartHandle = FWorldDelegates::OnWorldTickStart.AddUObject(this, &UNetClockSubsystem::OnTickStart);
	PostActorTickHandle = FWorldDelegates::OnWorldPostActorTick.AddUObject(this, &UNetClockSubsystem::OnPostActorTick);
#if !UE_BUILD_SHIPPING
	Graph = MakeShared<FNetClockGraph>();
	DrawHandle = UDebugDrawService::Register(TEXT("Game"), FDebugDrawDelegate::CreateUObject(this, &UNetClockSubsystem::DrawGraph));
#endif
}

void UNetClockSubsystem::Deinitialize()
{
	UNetClockSession* Session = GetSession();
	if (Session && WorldClocks.IsValid() && GetWorld()->GetNetMode() == NM_Client && !GetWorld()->IsPlayingReplay())
	{
		const FNetClockWorldSegment Newest = WorldClocks->GetSegment(ENetClockWorldClock::World);
		Session->LeaveWorld(Newest.Epoch, Newest.World);
	}
	WorldClocks.Reset();
	FWorldDelegates::OnWorldTickStart.Remove(TickStartHandle);
	FWorldDelegates::OnWorldPostActorTick.Remove(PostActorTickHandle);
#if !UE_BUILD_SHIPPING
	UDebugDrawService::Unregister(DrawHandle);
#endif
	Super::Deinitialize();
}

// What begins to play may ask before the world's first frame. Who is to be told of events is not there yet.
void UNetClockSubsystem::OnWorldBeginPlay(UWorld& InWorld)
{
	Super::OnWorldBeginPlay(InWorld);
	const UNetClockSession* Session = GetSession();
	// A client that has never followed a server has nothing to show.
	if (InWorld.GetNetMode() != NM_Client || (Session && Session->GetClient().IsValid()))
	{
		ReadClock();
	}
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

UNetClockHandover* UNetClockSubsystem::GetHandover() const
{
	const UGameInstance* Instance = GetWorld() ? GetWorld()->GetGameInstance() : nullptr;
	return Instance ? Instance->GetSubsystem<UNetClockHandover>() : nullptr;
}

// The delegates tell of every world in the process: in PIE there are several.
void UNetClockSubsystem::OnTickStart(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld())
	{
		return;
	}
	ReadClock();
	if (World->GetNetMode() == NM_Client && !World->IsPlayingReplay())
	{
		TellEvents();
		TellLatency();
	}
}

void UNetClockSubsystem::ReadClock()
{
	const UWorld* World = GetWorld();
	FrameTicks = NetClock::LocalTicks();
	if (World->IsPlayingReplay())
	{
		PlayReplay();
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
		AskServer();
		break;
	case NM_DedicatedServer:
	case NM_ListenServer:
		ServePlayers(PublishOwnWorld());
		break;
	default:
		PublishOwnWorld();
		break;
	}
	if (UNetClockStart* Start = World->GetSubsystem<UNetClockStart>())
	{
		Start->EndFrame();
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
	UNetClockSession* Session = GetSession();
	UNetClockHandover* Handover = GetHandover();
	if (Handover && GetWorld()->GetNetMode() != NM_Standalone)
	{
		Handover->BeginServing();
	}
	Status = FNetClockStatus();
	if (Session && Session->KeepsTime())
	{
		// Until it is known whose time is next; nobody is there to be asked.
		FNetClockRequest Request;
		bool bReliable = false;
		static_cast<void>(Session->GetClient()->Tick(FrameTicks, Request, bReliable));
		Status = Session->GetClient()->Read(FrameTicks);
		return;
	}
	if (Handover && Handover->IsAsking())
	{
		return;
	}
	Status.State = ENetClockState::Synced;
	Status.bIsSynced = true;
	Status.ServerTicks = Session ? Session->ServerTicks(FrameTicks) : FrameTicks;
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
		return;
	}
	bool bNewConnection = false;
	const TSharedPtr<FNetClockClient> Client = Session->ClientFor(Driver->ServerConnection, bNewConnection);
	bTellNewConnection = bTellNewConnection || bNewConnection;
	SpeedScale = 1.0;
	if (Session->GetLatency().IsValid() && !Session->IsUnproved())
	{
		Session->GetLatency()->ReadSpeed(FrameTicks, SpeedScale, SpeedShiftMs);
	}
	if (!Client.IsValid())
	{
		return;
	}
	Status = Session->IsUnproved() ? FNetClockStatus() : Client->Read(FrameTicks);
	PlaceWorldTime();
}

void UNetClockSubsystem::TellEvents()
{
	UNetClockSession* Session = GetSession();
	TellDecision();
	if (bTellNewConnection)
	{
		bTellNewConnection = false;
		OnDiscontinuity.Broadcast(ENetClockCause::NewConnection, 0.0);
	}
	if (FMath::Abs(WorldJumpMs) > 0.0)
	{
		const double JumpMs = WorldJumpMs;
		WorldJumpMs = 0.0;
		OnDiscontinuity.Broadcast(ENetClockCause::WorldJump, JumpMs);
	}
	if (!Session || Session->IsUnproved())
	{
		return;
	}
	if (Session->TakeProved())
	{
		OnSynced.Broadcast();
	}
	FNetClockEvent Event;
	// A copy: whoever hears of an event may end the session.
	const TSharedPtr<FNetClockClient> Client = Session->GetClient();
	while (Client.IsValid() && Client->NextEvent(Event))
	{
		switch (Event.Kind)
		{
		case FNetClockEvent::EKind::Synced:
			OnSynced.Broadcast();
			break;
		case FNetClockEvent::EKind::HandedOver:
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

// For whom the clock was kept: that it goes on, or that another one has begun after all.
void UNetClockSubsystem::TellDecision()
{
	UNetClockSession* Session = GetSession();
	UNetClockHandover* Handover = GetHandover();
	bool bNewClock = false;
	const ENetClockContinuation Decided = Session && Handover ? Session->TakeDecision(bNewClock) : ENetClockContinuation::None;
	if (Decided != ENetClockContinuation::None)
	{
		// Where the old one was begun anew it tells that itself.
		bTellNewConnection = bTellNewConnection || bNewClock;
		Handover->Decide(Decided);
	}
}

void UNetClockSubsystem::TellLatency()
{
	const UNetClockSession* Session = GetSession();
	// A copy, as above.
	const TSharedPtr<FNetClockLatency> Latency = Session && !Session->IsUnproved() ? Session->GetLatency() : nullptr;
	FNetClockLatencyChange Change;
	while (Latency.IsValid() && Latency->NextChange(Change))
	{
		OnLatencyChanged.Broadcast(Change.Direction, Change.BeforeMs, Change.AfterMs);
	}
}

void UNetClockSubsystem::AskServer()
{
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		const APlayerController* Player = It->Get();
		UNetClockComponent* Component = Player && Player->IsLocalController() ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
		if (Component)
		{
			// With a split screen, one player asks for all: the first who can.
			Component->SendDueProbe();
			return;
		}
	}
}

void UNetClockSubsystem::ServePlayers(uint32 ChangedClocks)
{
	AnsweredInFrame = 0;
	DroppedInFrame = 0;
	// Told when all are served: whoever hears of it may throw a player out.
	TArray<FSuspected> Suspected;
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
			Component->StateAuthority();
			Component->SendReplies(ChangedClocks, AnsweredInFrame, DroppedInFrame);
			FNetClockVerdict Verdict;
			if (Component->TakeFinding(Verdict))
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

FNetClockVerdict UNetClockSubsystem::GetPlayerVerdict(const APlayerController* Player) const
{
	const UNetClockComponent* Component = Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
	return Component ? Component->GetVerdict() : FNetClockVerdict();
}

void UNetClockSubsystem::ExcusePlayerClockSeconds(APlayerController* Player, double Seconds)
{
	if (UNetClockComponent* Component = Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr)
	{
		Component->ExcuseClock(Seconds);
	}
}

double UNetClockSubsystem::GetServerRealTimeSeconds() const
{
	return static_cast<double>(Status.ServerTicks) / static_cast<double>(NetClock::TicksPerSecond);
}

ENetClockQuality UNetClockSubsystem::GetQuality() const
{
	if (!Status.bIsSynced)
	{
		return ENetClockQuality::None;
	}
	if (Status.ErrorBoundMs <= 0.0)
	{
		return ENetClockQuality::Exact;
	}
	if (Status.ErrorBoundMs >= NetClock::UnknownMs || Status.ExpectedErrorMs > FairMs)
	{
		return ENetClockQuality::Poor;
	}
	return Status.State == ENetClockState::Synced && Status.ExpectedErrorMs <= GoodMs ? ENetClockQuality::Good : ENetClockQuality::Fair;
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
