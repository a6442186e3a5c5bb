// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Starts, as every machine makes them. NetClockStartServer.cpp has the part of the server.

#include "NetClock/Start/NetClockStart.h"

#include "Clock/NetClockBackend.h"
#include "Clock/NetClockRecorder.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "GameFramework/PlayerController.h"
#include "Start/NetClockStartBackend.h"
#include "Start/NetClockStartLink.h"

void UNetClockStart::Deinitialize()
{
	for (const FPlayer& Player : Players)
	{
		// Components travel along, but these belong to this world.
		if (UNetClockComponent* Component = Player.Component.Get())
		{
			Component->StartNews = FNetClockStartNews();
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
	return UNetClockSubsystem::Of(this);
}

bool UNetClockStart::IsServer() const
{
	const UWorld* World = GetWorld();
	return World && World->GetNetMode() != NM_Client && !World->IsPlayingReplay();
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
		ScheduleWhenReady();
		Announce();
	}
	else
	{
		bHears = SendReadiness();
	}
	// Nothing runs in the frames while there is no start and no beat to come.
	FollowFrames(bHears || IsStartScheduled() || (HasStarted() && Beats.IsValid() && Beats->Rate > 0));
}

void UNetClockStart::BeforeActors()
{
	const UNetClockSubsystem* Clock = GetClock();
	if (!IsServer())
	{
		FollowServer();
	}
	else if (Clock && IsStartScheduled() && Clock->GetServerTimeTicks() >= Shown.AtTicks)
	{
		Begin(Shown.AtTicks, NetClock::TicksToMs(Clock->GetServerTimeTicks() - Shown.AtTicks), 0.0, false);
	}
	BroadcastBeats();
}

bool UNetClockStart::SendReadiness()
{
	bool bPrepares = false;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		UNetClockComponent* Component = UNetClockComponent::OfLocal(It->Get());
		if (Component && Component->StartNews.bPrepared)
		{
			bPrepares = true;
			Component->Find<FNetClockStartLink>()->SendDue();
		}
	}
	return bPrepares;
}

void UNetClockStart::FollowServer()
{
	const UNetClockSubsystem* Clock = GetClock();
	const UNetClockSession* Session = UNetClockSession::Of(this);
	// A copy: a listener may end the session.
	const TSharedPtr<FNetClockClient> Client =
		Session && !Session->IsUnconfirmed() ? Session->GetClient() : nullptr;
	FNetClockProgress Newest;
	bool bHeard = false;
	const UNetClockComponent* Told = nullptr;
	FNetClockProgress Fires;
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); Clock && It; ++It)
	{
		UNetClockComponent* Component = UNetClockComponent::OfLocal(It->Get());
		if (!Component || !Component->StartNews.bPrepared)
		{
			continue;
		}
		FNetClockProgress Progress;
		if (Client.IsValid() &&
			Component->Find<FNetClockStartLink>()->Follow(
				Clock->GetWorldKnowledge().World, *Client, Clock->GetFrameTicks(), Progress))
		{
			// With a split screen each player takes part. The status shows the first one. The first to fire
			// starts the machine.
			Newest = bHeard ? Newest : Progress;
			bHeard = true;
			Fires = Progress.bFires ? Progress : Fires;
		}
		Told = HasBegunByNews(*Component) ? Component : Told;
	}
	const auto Record = [this, &Client](int64 AtTicks)
	{
		if (FNetClockRecorder* Recorder = Client->GetRecorder())
		{
			Recorder->AddStart(NetClock::LocalTicks(), AnnouncedVersion, AnnouncedEpoch, AtTicks);
		}
	};
	if (bHeard && Newest.Stage == ENetClockStartStage::Scheduled && Newest.AtTicks > BegunTicks &&
		(!IsStartScheduled() || Shown.AtTicks != Newest.AtTicks))
	{
		Shown = FNetClockStartStatus();
		Shown.Stage = ENetClockStartStage::Scheduled;
		Shown.AtTicks = Newest.AtTicks;
		AnnouncedVersion = Newest.Version;
		AnnouncedEpoch = static_cast<uint64>(Client->Read(NetClock::LocalTicks()).ServerEpoch);
		Record(Newest.AtTicks);
		OnStartScheduled.Broadcast(GetStartCountdownSeconds());
	}
	else if (bHeard && Newest.Stage == ENetClockStartStage::None && IsStartScheduled())
	{
		Record(INT64_MIN);
		NoteCancelled();
	}
	if (Fires.bFires)
	{
		Begin(Fires.AtTicks, Fires.LatenessMs, Fires.ErrorBoundMs,
			Fires.Stage == ENetClockStartStage::JoinedLate);
	}
	else if (Told)
	{
		const int64 AtTicks = Told->StartNews.StartedTicks;
		const FNetClockStatus Now = Clock->GetStatus();
		Begin(AtTicks, Now.bIsSynced ? NetClock::TicksToMs(Now.ServerTicks - AtTicks) : 0.0, Now.ErrorBoundMs,
			!IsStartScheduled());
	}
}

// True if the server has begun: for players who were not there, or who lost every message.
bool UNetClockStart::HasBegunByNews(UNetClockComponent& Component)
{
	const FNetClockStartNews& Heard = Component.StartNews;
	if (Heard.StartedTicks == 0 || Heard.StartedTicks <= BegunTicks)
	{
		return false;
	}
	if (Heard.World == 0 || !NetClock::IsLibraryUsable())
	{
		// Without a clock here or on the server, a start begins when its news arrive.
		return Component.Find<FNetClockStartLink>()->TakeNews();
	}
	const FNetClockStatus Now = GetClock()->GetStatus();
	return Now.bIsSynced && Now.ServerTicks >= Heard.StartedTicks &&
		Heard.World == GetClock()->GetWorldKnowledge().World;
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

void UNetClockStart::NoteCancelled()
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
	return FMath::Max(0.0, NetClock::TicksToSeconds(Shown.AtTicks - Clock->GetServerTimeTicks()));
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

void UNetClockStart::BroadcastBeats()
{
	const UNetClockSubsystem* Clock = GetClock();
	if (!HasStarted() || !Beats.IsValid() || Beats->Rate == 0 || !Clock || !Clock->IsSynced())
	{
		return;
	}
	int64 First = 0;
	const int32 Count = Beats->Advance(Clock->GetServerTimeTicks(), First);
	const int32 Rate = Beats->Rate;
	// A listener may change the rate or end the world, which ends these beats.
	for (int32 Index = 0; Index < Count && HasStarted() && Beats->Rate == Rate; ++Index)
	{
		OnBeat.Broadcast(First + Index);
	}
}
