// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// What every machine does: the start itself, and what follows from it. What the server does besides is in
// NetClockStartServer.cpp.

#include "Start/NetClockStart.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "Clock/NetClockBackend.h"
#include "Exchange/NetClockComponent.h"
#include "Clock/NetClockSession.h"
#include "Start/NetClockStartBackend.h"
#include "Clock/NetClockSubsystem.h"

bool UNetClockStart::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return WorldType == EWorldType::Game || WorldType == EWorldType::PIE;
}

void UNetClockStart::Deinitialize()
{
	FollowFrames(false);
	for (const FPlayer& Player : Players)
	{
		// Components travel along; what they say belongs to this world.
		if (UNetClockComponent* Component = Player.Component.Get())
		{
			Component->SetStartNews(FNetClockStartNews());
		}
	}
	Players.Reset();
	Organiser.Reset();
	bPrepared = bWanted = false;
	Shown = FNetClockStartStatus();
	OnStartEnded.Broadcast(ENetClockStartEnd::WorldEnd);
	Super::Deinitialize();
}

UNetClockSubsystem* UNetClockStart::GetClock() const
{
	return GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr;
}

bool UNetClockStart::IsServer() const
{
	const UWorld* World = GetWorld();
	return World && World->GetNetMode() != NM_Client && !World->IsPlayingReplay();
}

void UNetClockStart::FollowFrames(bool bFollow)
{
	if (bFollow && !PreActorTickHandle.IsValid())
	{
		PreActorTickHandle = FWorldDelegates::OnWorldPreActorTick.AddUObject(this, &UNetClockStart::OnPreActorTick);
	}
	else if (!bFollow && PreActorTickHandle.IsValid())
	{
		FWorldDelegates::OnWorldPreActorTick.Remove(PreActorTickHandle);
		PreActorTickHandle.Reset();
	}
}

void UNetClockStart::EndFrame()
{
	if (!GetClock() || GetWorld()->IsPlayingReplay())
	{
		return;
	}
	bool bHears = false;
	if (IsServer())
	{
		AdmitPlayers();
		Plan();
		Announce();
	}
	else
	{
		bHears = SendReadiness();
	}
	// Nothing runs among the frame's other work while there is nothing to start and nothing to count.
	FollowFrames(bHears || IsStartScheduled() || (HasStarted() && Beats.IsValid() && Beats->Rate > 0));
}

// By now what arrived was read, the frame's time is known, and nothing has been made of it.
void UNetClockStart::OnPreActorTick(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld())
	{
		return;
	}
	const UNetClockSubsystem* Clock = GetClock();
	if (!IsServer())
	{
		HearServer();
	}
	else if (Clock && IsStartScheduled() && Clock->GetServerTimeTicks() >= Shown.AtTicks)
	{
		Begin(Shown.AtTicks, static_cast<double>(Clock->GetServerTimeTicks() - Shown.AtTicks) * 1.0e-4, 0.0, false);
	}
	TellBeats();
}

bool UNetClockStart::SendReadiness()
{
	bool bPrepares = false;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		const APlayerController* Player = It->Get();
		UNetClockComponent* Component = Player && Player->IsLocalController() ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
		if (Component && Component->GetStartNews().bPrepared)
		{
			bPrepares = true;
			Component->SendStartMessages();
		}
	}
	return bPrepares;
}

void UNetClockStart::HearServer()
{
	const UNetClockSubsystem* Clock = GetClock();
	const UNetClockSession* Session = GetWorld()->GetGameInstance() ? GetWorld()->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	// A copy: whoever hears of a start may end the session.
	const TSharedPtr<FNetClockClient> Client = Session && !Session->IsUnproved() ? Session->GetClient() : nullptr;
	FNetClockProgress Newest;
	bool bHeard = false;
	const UNetClockComponent* Told = nullptr;
	FNetClockProgress Fires;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); Clock && It; ++It)
	{
		const APlayerController* Player = It->Get();
		UNetClockComponent* Component = Player && Player->IsLocalController() ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
		if (!Component || !Component->GetStartNews().bPrepared)
		{
			continue;
		}
		FNetClockProgress Progress;
		if (Client.IsValid() && Component->FollowStart(Clock->GetWorldKnowledge().World, *Client, Clock->GetFrameTicks(), Progress))
		{
			// With a split screen each player takes part; what the first hears is shown, and who hears of it first starts.
			Newest = bHeard ? Newest : Progress;
			bHeard = true;
			Fires = Progress.bFires ? Progress : Fires;
		}
		Told = HearNews(*Component) ? Component : Told;
	}
	if (bHeard && Newest.Stage == ENetClockStartStage::Scheduled && Newest.AtTicks > BegunTicks && (!IsStartScheduled() || Shown.AtTicks != Newest.AtTicks))
	{
		Shown = FNetClockStartStatus();
		Shown.Stage = ENetClockStartStage::Scheduled;
		Shown.AtTicks = Newest.AtTicks;
		OnStartScheduled.Broadcast(GetStartCountdownSeconds());
	}
	else if (bHeard && Newest.Stage == ENetClockStartStage::None && IsStartScheduled())
	{
		TakeBack();
	}
	if (Fires.bFires)
	{
		Begin(Fires.AtTicks, Fires.LatenessMs, Fires.ErrorBoundMs, Fires.Stage == ENetClockStartStage::JoinedLate);
	}
	else if (Told)
	{
		const int64 AtTicks = Told->GetStartNews().StartedTicks;
		const FNetClockStatus Now = Clock->GetStatus();
		Begin(AtTicks, Now.bIsSynced ? static_cast<double>(Now.ServerTicks - AtTicks) * 1.0e-4 : 0.0, Now.ErrorBoundMs, !IsStartScheduled());
	}
}

// The server has begun: for those who were not there, or to whom every message was lost.
bool UNetClockStart::HearNews(UNetClockComponent& Component)
{
	const FNetClockStartNews& Heard = Component.GetStartNews();
	if (Heard.StartedTicks == 0 || Heard.StartedTicks <= BegunTicks)
	{
		return false;
	}
	if (Heard.World == 0 || !NetClock::IsLibraryUsable())
	{
		// Nobody here, or nobody there, has a clock: it begins when it is heard of.
		return Component.TakeStartNews();
	}
	const FNetClockStatus Now = GetClock()->GetStatus();
	return Now.bIsSynced && Now.ServerTicks >= Heard.StartedTicks && Heard.World == GetClock()->GetWorldKnowledge().World;
}

void UNetClockStart::Begin(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate)
{
	if (AtTicks <= BegunTicks)
	{
		return;
	}
	BegunTicks = AtTicks;
	const int32 NotReady = Shown.NotReady;
	Shown = FNetClockStartStatus();
	Shown.NotReady = NotReady;
	Shown.Stage = bLate ? ENetClockStartStage::JoinedLate : ENetClockStartStage::Started;
	Shown.AtTicks = AtTicks;
	Shown.LatenessMs = LatenessMs;
	Shown.ErrorBoundMs = ErrorBoundMs;
	BeginBeats(!bLate);
	OnStart.Broadcast(LatenessMs, ErrorBoundMs);
	OnStartEnded.Broadcast(ENetClockStartEnd::Started);
}

void UNetClockStart::TakeBack()
{
	Shown = FNetClockStartStatus();
	Shown.Stage = ENetClockStartStage::Cancelled;
	OnStartCancelled.Broadcast();
	OnStartEnded.Broadcast(ENetClockStartEnd::Cancelled);
}

double UNetClockStart::GetStartCountdownSeconds() const
{
	const UNetClockSubsystem* Clock = GetClock();
	if (!IsStartScheduled() || !Clock || !Clock->IsSynced())
	{
		return 0.0;
	}
	return FMath::Max(0.0, static_cast<double>(Shown.AtTicks - Clock->GetServerTimeTicks()) / static_cast<double>(NetClock::TicksPerSecond));
}

double UNetClockStart::GetTimeSinceStartSeconds() const
{
	const UNetClockSubsystem* Clock = GetClock();
	return HasStarted() && Clock ? FMath::Max(0.0, Clock->GetAgeSeconds(Shown.AtTicks)) : 0.0;
}

FNetClockStartStatus UNetClockStart::GetStartStatus() const
{
	FNetClockStartStatus Status = Shown;
	Status.CountdownSeconds = GetStartCountdownSeconds();
	return Status;
}

bool UNetClockStart::GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const
{
	Beat = 0;
	Alpha = 0.0;
	const UNetClockSubsystem* Clock = GetClock();
	if (!HasStarted() || !Clock || !Clock->IsSynced())
	{
		return false;
	}
	FNetClockBeats Asked;
	Asked.OriginTicks = Shown.AtTicks;
	Asked.Rate = BeatsPerSecond;
	return Asked.At(Clock->GetServerTimeTicks(), Beat, Alpha);
}

bool UNetClockStart::SetBeatRate(int32 BeatsPerSecond)
{
	if (BeatsPerSecond < 0 || BeatsPerSecond > FNetClockBeats::MaxRate)
	{
		return false;
	}
	if (!Beats.IsValid())
	{
		Beats = MakeShared<FNetClockBeats>();
	}
	Beats->Rate = BeatsPerSecond;
	BeginBeats(false);
	return true;
}

void UNetClockStart::BeginBeats(bool bFromZero)
{
	if (!Beats.IsValid())
	{
		return;
	}
	int64 Beat = 0;
	double Alpha = 0.0;
	Beats->OriginTicks = Shown.AtTicks;
	Beats->Next = 0;
	if (!bFromZero && HasStarted() && GetBeat(Beats->Rate, Beat, Alpha))
	{
		Beats->Next = Beat + 1;
	}
}

void UNetClockStart::TellBeats()
{
	const UNetClockSubsystem* Clock = GetClock();
	if (!HasStarted() || !Beats.IsValid() || Beats->Rate == 0 || !Clock || !Clock->IsSynced())
	{
		return;
	}
	int64 First = 0;
	const int32 Count = Beats->Advance(Clock->GetServerTimeTicks(), First);
	const int32 Rate = Beats->Rate;
	// Whoever hears of a beat may change the rate or end the world: then these are no more.
	for (int32 Index = 0; Index < Count && HasStarted() && Beats->Rate == Rate; ++Index)
	{
		OnBeat.Broadcast(First + Index);
	}
}
