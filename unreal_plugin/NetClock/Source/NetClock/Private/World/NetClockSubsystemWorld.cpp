// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// World time. The server publishes how its world's clocks run against its real time. A client computes them
// from the real time.

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "Clock/NetClockRecorder.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "World/NetClockWorldClocks.h"

namespace
{
	/** Server and clients finish a travel within this time of each other, in ticks. */
	constexpr int64 TravelTicks = 5 * NetClock::TicksPerSecond;

	/** Error of a world time that is a float, in ms: half a step on the server, and half a step here. */
	double RoundingMs(double Seconds)
	{
		return sizeof(FNetClockWorldSeconds) == sizeof(float) ? FMath::Abs(Seconds) * 1.2e-4 : 0.0;
	}

	/** Client: writes a segment of its server to the recording, if there is one. */
	void RecordSegment(const UNetClockSession& Session, const FNetClockWorldSegment& Segment)
	{
		FNetClockRecorder* Recorder =
			Session.GetClient().IsValid() ? Session.GetClient()->GetRecorder() : nullptr;
		if (Recorder)
		{
			Recorder->AddSegment(NetClock::LocalTicks(), FNetClockTimeline::DatagramOf(Segment));
		}
	}
}

uint32 UNetClockSubsystem::PublishWorld()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session || !Status.bIsSynced || Session->KeepsTime())
	{
		return 0;
	}
	if (WorldClocks.IsValid() &&
		GetServerSegment(ENetClockWorldClock::World).Epoch != Session->GetServerEpoch())
	{
		// A handover changed the served time after this world began.
		WorldClocks.Reset();
	}
	if (!WorldClocks.IsValid() && NetClock::IsLibraryUsable())
	{
		WorldClocks =
			FNetClockWorldClocks::CreateForServer(Session->GetServerEpoch(), Session->NumberWorld());
	}
	const uint32 Changed =
		WorldClocks.IsValid() ? WorldClocks->Publish(*GetWorld(), Session->ServerTicks(FrameTicks)) : 0;
	if (Changed)
	{
		OnServerSegmentsChanged.Broadcast(GetServerSegments());
	}
	return Changed;
}

FNetClockWorldSegment UNetClockSubsystem::GetServerSegment(ENetClockWorldClock Clock) const
{
	return WorldClocks.IsValid() ? WorldClocks->GetSegment(Clock) : FNetClockWorldSegment();
}

FNetClockWorldSegments UNetClockSubsystem::GetServerSegments() const
{
	FNetClockWorldSegments Segments;
	Segments.World = GetServerSegment(ENetClockWorldClock::World);
	Segments.Unpaused = GetServerSegment(ENetClockWorldClock::Unpaused);
	Segments.Audio = GetServerSegment(ENetClockWorldClock::Audio);
	return Segments;
}

FNetClockWorldKnowledge UNetClockSubsystem::GetWorldKnowledge() const
{
	return WorldClocks.IsValid() ? WorldClocks->GetKnowledge() : FNetClockWorldKnowledge();
}

int64 UNetClockSubsystem::GetWorldThroughTicks() const
{
	return WorldClocks.IsValid() ? WorldClocks->GetThroughTicks() : 0;
}

void UNetClockSubsystem::ConfirmSegments(
	const FNetClockWorldKnowledge& Published, int64 Epoch, int64 ThroughTicks)
{
	if (WorldClocks.IsValid())
	{
		WorldClocks->Confirm(Published, Epoch, ThroughTicks);
	}
}

void UNetClockSubsystem::SetServerSegments(const FNetClockWorldSegments& Segments)
{
	LearnSegment(ENetClockWorldClock::World, Segments.World);
	LearnSegment(ENetClockWorldClock::Unpaused, Segments.Unpaused);
	LearnSegment(ENetClockWorldClock::Audio, Segments.Audio);
}

bool UNetClockSubsystem::IsOfThisWorld(const FNetClockWorldSegment& Segment)
{
	// Server and clients do not travel at the same moment. For a while, segments can belong to the world that
	// this game has left, or to the one that it will enter. Later segments count in any case, because this is
	// only a guess.
	const int64 Now = NetClock::LocalTicks();
	if (UNetClockSession::Of(this)->HasLeftWorld(Segment.Epoch, Segment.World) &&
		Now - BegunTicks < TravelTicks)
	{
		return false;
	}
	const FNetClockWorldSegment Newest = GetServerSegment(ENetClockWorldClock::World);
	if (Newest.Epoch != Segment.Epoch || Segment.World <= Newest.World)
	{
		return true;
	}
	NextWorldTicks = NextWorldTicks == 0 ? Now : NextWorldTicks;
	return Now - NextWorldTicks >= TravelTicks;
}

void UNetClockSubsystem::LearnSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	const UWorld* World = GetWorld();
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!World || Segment.Epoch == 0 || !Session || !NetClock::IsLibraryUsable())
	{
		return;
	}
	// A replay has its own worlds and servers.
	if (!World->IsPlayingReplay() && !IsOfThisWorld(Segment))
	{
		return;
	}
	if (!WorldClocks.IsValid())
	{
		WorldClocks = FNetClockWorldClocks::CreateForClient();
	}
	if (WorldClocks.IsValid() && WorldClocks->Learn(Clock, Segment) && Clock == ENetClockWorldClock::World &&
		!World->IsPlayingReplay())
	{
		RecordSegment(*Session, Segment);
	}
}

void UNetClockSubsystem::PlaceWorldTime()
{
	if (!WorldClocks.IsValid())
	{
		return;
	}
	WorldClocks->Show(Status);
	const FNetClockWorldReading& Reading = WorldClocks->GetReading(ENetClockWorldClock::World);
	if (!Reading.bIsKnown)
	{
		return;
	}
	// The shown time may only fall back at a discontinuity.
	const bool bAnew = Reading.Epoch != WorldEpoch;
	const bool bFirst = WorldEpoch == 0;
	WorldEpoch = Reading.Epoch;
	// Until now the engine's clock was shown. While a server stands still, it runs far ahead.
	const double AheadMs = bFirst ? (ShownSeconds - Reading.Seconds) * 1000.0 : 0.0;
	const bool bFarAhead = AheadMs > static_cast<double>(UNetClockSettings::Get().StepThresholdMs);
	if (bAnew && (!bFirst || bFarAhead))
	{
		ShownSeconds = Reading.Seconds;
	}
	WorldJumpMs += !bFirst ? Reading.JumpMs : bFarAhead ? -AheadMs : 0.0;
}

void UNetClockSubsystem::PlayReplay()
{
	// There is no server to ask. The engine drives the world time, and the replay contains the server's
	// segments. They give the server's real time, so stamps have the age that they had.
	Status = FNetClockStatus();
	const AGameStateBase* State = GetWorld()->GetGameState();
	int64 Ticks = 0;
	if (!State || !WorldClocks.IsValid() ||
		!WorldClocks->RealAt(
			ENetClockWorldClock::World, State->AGameStateBase::GetServerWorldTimeSeconds(), Ticks))
	{
		return;
	}
	Status.State = ENetClockState::Holdover;
	Status.bIsSynced = true;
	Status.ServerTicks = Ticks;
	Status.ServerEpoch = WorldClocks->GetSegment(ENetClockWorldClock::World).Epoch;
}

FNetClockWorldReading UNetClockSubsystem::GetWorldReading(ENetClockWorldClock Clock) const
{
	const UWorld* World = GetWorld();
	FNetClockWorldReading Reading;
	if (!World || World->IsPlayingReplay())
	{
		return Reading;
	}
	if (World->GetNetMode() == NM_Client)
	{
		Reading = WorldClocks.IsValid() ? WorldClocks->GetReading(Clock) : Reading;
		Reading.ErrorBoundMs += RoundingMs(Reading.Seconds);
		Reading.ErrorBoundIfUnchangedMs += RoundingMs(Reading.Seconds);
		return Reading;
	}
	// The world's own clocks, as they are now and not at the start of the frame.
	Reading.bIsKnown = true;
	Reading.Seconds = Clock == ENetClockWorldClock::Audio ? World->GetAudioTimeSeconds()
		: Clock == ENetClockWorldClock::Unpaused          ? World->GetUnpausedTimeSeconds()
														  : World->GetTimeSeconds();
	Reading.Rate = FNetClockWorldClocks::RateOf(*World, Clock);
	Reading.ErrorBoundMs = Reading.ErrorBoundIfUnchangedMs = 0.0;
	return Reading;
}

double UNetClockSubsystem::ShowWorldTime(double EngineSeconds) const
{
	const UWorld* World = GetWorld();
	if (!World || World->GetNetMode() != NM_Client || World->IsPlayingReplay())
	{
		return EngineSeconds;
	}
	// The engine's estimate can fall back. The shown time must not.
	const bool bKnown = IsWorldTimeKnown();
	const double Known = bKnown ? WorldClocks->GetReading(ENetClockWorldClock::World).Seconds : EngineSeconds;
	ShownSeconds = FMath::Max(ShownSeconds, Known);
	return ShownSeconds;
}

bool UNetClockSubsystem::IsWorldTimeKnown() const
{
	return UNetClockSettings::Get().bOverrideWorldTime && WorldClocks.IsValid() &&
		WorldClocks->GetReading(ENetClockWorldClock::World).bIsKnown;
}

bool UNetClockSubsystem::IsWorldTimeShown() const
{
	const UWorld* World = GetWorld();
	return World && !World->IsPlayingReplay() && (World->GetNetMode() != NM_Client || IsWorldTimeKnown());
}

// The shown time stands still where it was ahead.
double UNetClockSubsystem::GetHeldBackMs(const FNetClockWorldReading& Reading) const
{
	const bool bMayHold = GetWorld()->GetNetMode() == NM_Client;
	return bMayHold ? FMath::Max(0.0, (ShownSeconds - Reading.Seconds) * 1000.0) : 0.0;
}

double UNetClockSubsystem::GetWorldTimeErrorBoundMs() const
{
	const FNetClockWorldReading Reading = GetWorldReading(ENetClockWorldClock::World);
	return IsWorldTimeShown() ? Reading.ErrorBoundMs + GetHeldBackMs(Reading) : NetClock::UnknownMs;
}

double UNetClockSubsystem::GetWorldTimeErrorBoundIfUnchangedMs() const
{
	const FNetClockWorldReading Reading = GetWorldReading(ENetClockWorldClock::World);
	return IsWorldTimeShown() ? Reading.ErrorBoundIfUnchangedMs + GetHeldBackMs(Reading)
							  : NetClock::UnknownMs;
}

bool UNetClockSubsystem::GetWorldTimeAt(
	ENetClockWorldClock Clock, int64 ServerTicks, double& WorldSeconds) const
{
	WorldSeconds = 0.0;
	return WorldClocks.IsValid() && WorldClocks->WorldAt(Clock, ServerTicks, WorldSeconds);
}

bool UNetClockSubsystem::GetServerTimeOfWorldTime(
	ENetClockWorldClock Clock, double WorldSeconds, int64& ServerTicks) const
{
	ServerTicks = 0;
	return WorldClocks.IsValid() && FMath::IsFinite(WorldSeconds) &&
		WorldClocks->RealAt(Clock, WorldSeconds, ServerTicks);
}

double UNetClockSubsystem::GetAgeOfWorldTimeSeconds(double WorldSeconds) const
{
	const FNetClockWorldReading Reading = GetWorldReading(ENetClockWorldClock::World);
	return Reading.bIsKnown ? Reading.Seconds - WorldSeconds : 0.0;
}

double UNetClockSubsystem::GetWorldTimeSinceSeconds(int64 ServerTicks) const
{
	double Then = 0.0;
	const FNetClockWorldReading Now = GetWorldReading(ENetClockWorldClock::World);
	return Now.bIsKnown && GetWorldTimeAt(ENetClockWorldClock::World, ServerTicks, Then) ? Now.Seconds - Then
																						 : 0.0;
}
