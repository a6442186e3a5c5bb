// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockSubsystem.h"

#include "Engine/Engine.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "Misc/CoreDelegates.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"
#include "UnrealEngine.h"

namespace
{
	/** The largest expected error of a good clock, in ms. Few people notice an error this small. */
	constexpr double GoodMs = 5.0;

	/** The largest expected error of a fair clock, in ms. This is one frame at 60 frames per second. */
	constexpr double FairMs = 1000.0 / 60.0;

	/** The smallest correction to step when a world begins play, in ms. At 60 frames per second, this is
	 * longer than a frame. */
	constexpr double WorldStepMs = 20.0;

	/** How long the editor shows the message about a client's first sync, in seconds. */
	constexpr float MessageSeconds = 5.0f;

	ENetClockQuality QualityOf(const FNetClockStatus& Status)
	{
		const bool bIsPoor = Status.ErrorBoundMs >= NetClock::UnknownMs || Status.ExpectedErrorMs > FairMs;
		const bool bIsGood = Status.State == ENetClockState::Synced && Status.ExpectedErrorMs <= GoodMs;
		return !Status.bIsSynced         ? ENetClockQuality::None
			: Status.ErrorBoundMs <= 0.0 ? ENetClockQuality::Exact
			: bIsPoor                    ? ENetClockQuality::Poor
			: bIsGood                    ? ENetClockQuality::Good
										 : ENetClockQuality::Fair;
	}
}

UNetClockSubsystem* UNetClockSubsystem::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
}

void UNetClockSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	BegunTicks = NetClock::LocalTicks();
	TickStartHandle = FWorldDelegates::OnWorldTickStart.AddUObject(this, &UNetClockSubsystem::OnTickStart);
	PostActorTickHandle =
		FWorldDelegates::OnWorldPostActorTick.AddUObject(this, &UNetClockSubsystem::OnPostActorTick);
	ForegroundHandle = FCoreDelegates::ApplicationHasEnteredForegroundDelegate.AddUObject(
		this, &UNetClockSubsystem::OnForeground);
	FollowFrames(true);
}

void UNetClockSubsystem::Deinitialize()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	// An ending world may have become standalone, because the next world may already own its net driver.
	if (Session && WorldNumber != 0 && bReadClient)
	{
		Session->LeaveWorld(WorldNumber);
	}
	Replay.Reset();
	FWorldDelegates::OnWorldTickStart.Remove(TickStartHandle);
	FWorldDelegates::OnWorldPostActorTick.Remove(PostActorTickHandle);
	FCoreDelegates::ApplicationHasEnteredForegroundDelegate.Remove(ForegroundHandle);
	Super::Deinitialize();
}

// Actors may read the clock in BeginPlay, before the world's first frame. Events are not broadcast until the
// first frame.
void UNetClockSubsystem::OnWorldBeginPlay(UWorld& InWorld)
{
	Super::OnWorldBeginPlay(InWorld);
	const UNetClockSession* Session = UNetClockSession::Of(this);
	// If there is no guest, the client has not joined a server yet and has no time to display.
	if (InWorld.GetNetMode() != NM_Client || (Session && Session->GetGuest()))
	{
		static_cast<void>(StepToBestEstimateMs(WorldStepMs));
		ReadClock(false);
	}
}

double UNetClockSubsystem::StepToBestEstimateMs(double LeastMs)
{
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!NetClock::IsClient(GetWorld()) || !Session || !Session->GetGuest() || Session->KeepsTime())
	{
		return 0.0;
	}
	const netclock::ticks Least{NetClock::SecondsToTicks(FMath::Max(LeastMs, 0.0) * 1.0e-3)};
	return NetClock::MsOf(
		*Session->GetGuest()->clock().make_step(NetClock::LocalTime(NetClock::LocalTicks()), Least));
}

// The engine broadcasts this delegate for every world in the process, including other PIE worlds.
void UNetClockSubsystem::OnTickStart(UWorld* World, ELevelTick, float)
{
	if (!World || World != GetWorld())
	{
		return;
	}
	PreviousPollTicks = PollTicks;
	ReadClock(true);
	PollTicks = FrameTicks;
	if (NetClock::IsClient(World))
	{
		BroadcastEvents();
	}
}

// By now, the world has read all of this frame's packets. An RPC that is handled later may have waited for
// any length of time.
void UNetClockSubsystem::BeforeActors()
{
	PreviousPollTicks = 0;
}

void UNetClockSubsystem::ReadClock(bool bIsFrame)
{
	FrameTicks = NetClock::LocalTicks();
	bReadClient = NetClock::IsClient(GetWorld());
	if (NetClock::IsReplay(*GetWorld()))
	{
		PlayReplay();
	}
	else if (bReadClient)
	{
		ReadClient(bIsFrame);
	}
	else
	{
		ReadOwnClock();
	}
	Status.Quality = QualityOf(Status);
	SharedTicks = Status.ServerTicks;
}

void UNetClockSubsystem::ReadOwnClock()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (Session && GetWorld()->GetNetMode() != NM_Standalone)
	{
		Session->OnServing.Broadcast(*Session);
	}
	Status = FNetClockStatus();
	if (Session && Session->KeepsTime())
	{
		// Until the handover is decided, the kept clock keeps running. The guest's requests are discarded,
		// because there is no server to send them to.
		static_cast<void>(Session->GetGuest()->next(NetClock::LocalTime(FrameTicks)));
		Status = Session->ReadClient(FrameTicks);
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

void UNetClockSubsystem::ReadClient(bool bIsFrame)
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	UNetDriver* Driver = GetWorld()->GetNetDriver();
	if (!Session || !Driver)
	{
		Status = FNetClockStatus();
		return;
	}
	bReportNewConnection = Session->FollowConnection(Driver->ServerConnection) || bReportNewConnection;
	netclock::guest* Guest = Session->GetGuest();
	if (!Guest)
	{
		return;
	}
	const netclock::local_time Now = NetClock::LocalTime(FrameTicks);
	const bool bStopped = Session->MayHaveMissedTime(FrameTicks);
	if (bForeground.exchange(false) || bStopped)
	{
		static_cast<void>(Guest->clock().may_have_missed_time(Now));
	}
	Session->RememberNowAndThen(FrameTicks);
	// Only update the guest's view at the start of a frame, because this is when a start may begin.
	Status = bIsFrame ? NetClock::StatusOf(*Guest->view(Now)) : Session->ReadClient(FrameTicks);
	if (bIsFrame)
	{
		PlaceWorldTime();
	}
	if (Session->IsUnconfirmed())
	{
		Status = FNetClockStatus();
	}
}

// Some operating systems call this function from their own thread.
void UNetClockSubsystem::OnForeground()
{
	bForeground = true;
}

void UNetClockSubsystem::BroadcastEvents()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session)
	{
		return;
	}
	using EKind = FNetClockIncident::EKind;
	// The new server either continues the kept clock or has a different time.
	const ENetClockDecision Decision = Session->TakeDecision();
	if (Decision == ENetClockDecision::Followed || Decision == ENetClockDecision::Other)
	{
		bReportNewConnection = bReportNewConnection || Decision == ENetClockDecision::Other;
		Session->OnDecided.Broadcast(Decision == ENetClockDecision::Followed);
	}
	if (bReportNewConnection)
	{
		bReportNewConnection = false;
		Report({EKind::Discontinuity, ENetClockCause::NewConnection});
	}
	if (FMath::Abs(WorldJumpMs) > 0.0)
	{
		Report({EKind::Discontinuity, ENetClockCause::WorldJump, std::exchange(WorldJumpMs, 0.0)});
	}
	if (Session->IsUnconfirmed())
	{
		return;
	}
	if (Decision == ENetClockDecision::Confirmed)
	{
		Report({EKind::Synced});
	}
	// Get the guest again each time, because a listener may end the session.
	for (netclock::guest* Guest = Session->GetGuest(); Guest; Guest = Session->GetGuest())
	{
		const auto Event = Guest->clock().next_event();
		FNetClockIncident Incident;
		if (!Event)
		{
			break;
		}
		if (NetClock::IncidentOf(*Event, Incident))
		{
			Report(Incident);
		}
	}
}

void UNetClockSubsystem::Report(const FNetClockIncident& Incident)
{
	OnIncident.Broadcast(Incident);
	if (Incident.Kind == FNetClockIncident::EKind::Synced)
	{
		// This line shows users that the clock works, even if they do not know the console commands. In the
		// editor, several worlds share a log and a list of messages on the screen.
		const bool bInEditor = GetWorld()->WorldType == EWorldType::PIE;
		const FString Message = FString::Printf(TEXT("NetClock: synced with the server, within %s%s"),
			*NetClock::MsText(Status.ErrorBoundMs),
			bInEditor ? *FString::Printf(TEXT(" (%s)"), *GetDebugStringForWorld(GetWorld())) : TEXT(""));
		UE_LOG(LogNetClock, Display, TEXT("%s"), *Message);
		if (bInEditor && UNetClockSettings::Get().bShowWhenSynced)
		{
			// The key -1 replaces no other message.
			GEngine->AddOnScreenDebugMessage(-1, MessageSeconds, FColor::Green, Message);
		}
		OnSynced.Broadcast();
	}
	else if (Incident.Kind == FNetClockIncident::EKind::Discontinuity)
	{
		OnDiscontinuity.Broadcast(Incident.Cause, Incident.AfterMs);
	}
	else if (Incident.Kind == FNetClockIncident::EKind::Degraded)
	{
		OnDegraded.Broadcast(Incident.Degradation);
	}
}

bool UNetClockSubsystem::GetAgeOfServerTime(int64 ServerTicks, double& AgeSeconds) const
{
	// Convert before subtracting. A timestamp from the network can be any number, so the difference in ticks
	// could overflow.
	AgeSeconds = !Status.bIsSynced ? 0.0
		: (static_cast<double>(Status.ServerTicks) - static_cast<double>(ServerTicks)) /
			static_cast<double>(NetClock::TicksPerSecond);
	return Status.bIsSynced;
}
