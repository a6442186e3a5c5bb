// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// World time. The server publishes how its world clocks relate to server time, so that clients can compute
// world times.

#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "GameFramework/WorldSettings.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/World/NetClockGameState.h"
#include "NetClockCLibrary.h"
#include "Session/NetClockConversions.h"

namespace
{
	/** The longest time between the server's travel and a client's travel, in ticks. */
	constexpr int64 TravelTicks = 5 * NetClock::TicksPerSecond;

	/** The number of world clocks. The host identifies each of them by its value in ENetClockWorldClock. */
	constexpr int32 NumClocks = 3;

	/** In a replay, an error bound above this value (in ms) means that segments were skipped and the time is
	 * unknown. */
	constexpr double SkippedMs = 10.0;

	/** If a replay goes back by more than this many seconds, the viewer has scrubbed. */
	constexpr double ScrubbedSeconds = 0.1;

	double RateOf(const UWorld& World, ENetClockWorldClock Clock)
	{
		if (World.IsPaused() && Clock != ENetClockWorldClock::Unpaused)
		{
			return 0.0;
		}
		const AWorldSettings* Settings = World.GetWorldSettings();
		return Settings && Clock != ENetClockWorldClock::Audio
			? static_cast<double>(Settings->GetEffectiveTimeDilation())
			: 1.0;
	}

	double SecondsOf(const UWorld& World, ENetClockWorldClock Clock)
	{
		return Clock == ENetClockWorldClock::Audio  ? World.GetAudioTimeSeconds()
			: Clock == ENetClockWorldClock::Unpaused ? World.GetUnpausedTimeSeconds()
													 : World.GetTimeSeconds();
	}
}

void UNetClockSubsystem::PublishWorld()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = Session && Status.bIsSynced ? Session->GetHost() : nullptr;
	if (!Host)
	{
		return;
	}
	const bool bBegins = PublishedGeneration != Session->GetGeneration();
	PublishedGeneration = Session->GetGeneration();
	const UWorld& World = *GetWorld();
	const netclock::server_time At = NetClock::ServerTime(Session->ServerTicks(FrameTicks));
	for (int32 Index = 0; Index < NumClocks; ++Index)
	{
		const ENetClockWorldClock Clock = static_cast<ENetClockWorldClock>(Index);
		const double Rate = RateOf(World, Clock);
		int64 Ticks = 0;
		if (NetClock::WorldTicksOf(SecondsOf(World, Clock), Ticks))
		{
			const uint32 Number = static_cast<uint32>(Index);
			const netclock::world_time Time{netclock::ticks{Ticks}};
			static_cast<void>(Rate > 0.0 ? Host->observe(Number, At, Time, Rate, bBegins)
										 : Host->observe_paused(Number, At, Time, bBegins));
		}
	}
	const TArray<uint8>& Blob = Session->TakeBlob();
	if (AGameStateBase* State = NetClock::GetLiveGameState(World))
	{
		NetClock::PublishBlob(*State, Blob);
	}
}

bool UNetClockSubsystem::IsOfThisWorld(uint32 World, int64 ServerEpoch)
{
	// Server and clients travel at different moments, so the guest may report the previous world or the next
	// one. We cannot tell which one it is, so after TravelTicks we accept whatever world the guest reports.
	const int64 Now = FrameTicks;
	if (UNetClockSession::Of(this)->HasLeftWorld(World) && Now - BegunTicks < TravelTicks)
	{
		return false;
	}
	const bool bIsNext = WorldNumber != 0 && World != WorldNumber && ServerEpoch == WorldServerEpoch;
	NextWorldTicks = !bIsNext ? 0 : NextWorldTicks == 0 ? Now : NextWorldTicks;
	if (bIsNext && Now - NextWorldTicks < TravelTicks)
	{
		return false;
	}
	WorldNumber = World;
	WorldServerEpoch = ServerEpoch;
	return true;
}

void UNetClockSubsystem::PlaceWorldTime()
{
	const UNetClockSession& Session = *UNetClockSession::Of(this);
	netclock::guest& Guest = *Session.GetGuest();
	for (int32 Index = 0; Index < NumClocks; ++Index)
	{
		const auto Reading = Guest.world(static_cast<uint32>(Index));
		if (Index == 0)
		{
			// Until the server is confirmed, the guest may report a different server's world.
			bInServersWorld = Session.IsSettled() && Reading &&
				IsOfThisWorld(Reading->instance, Status.ServerEpoch);
			static_cast<void>(Guest.take_part(bInServersWorld));
		}
		Shown[Index] =
			Reading && bInServersWorld ? NetClock::WorldOf(*Reading) : FNetClockWorldReading();
	}
	const FNetClockWorldReading& Reading = Shown[0];
	if (!Reading.bIsKnown)
	{
		bShownIsKnown = false;
		return;
	}
	// The displayed time may only go backwards at a discontinuity.
	const bool bAnew = Reading.Epoch != WorldEpoch;
	const bool bFirst = WorldEpoch == 0;
	WorldEpoch = Reading.Epoch;
	// Until now, the engine's estimate was displayed, which runs far ahead while the server is stalled.
	const double AheadMs = bFirst ? (ShownSeconds - Reading.Seconds) * 1000.0 : 0.0;
	const bool bFarAhead = AheadMs > static_cast<double>(UNetClockSettings::Get().StepThresholdMs);
	if (bAnew && (!bFirst || bFarAhead))
	{
		ShownSeconds = Reading.Seconds;
	}
	WorldJumpMs += !bFirst ? Reading.JumpMs : bFarAhead ? -AheadMs : 0.0;
	ShownSeconds = FMath::Max(ShownSeconds.load(), Reading.Seconds);
	bShownIsKnown = true;
}

void UNetClockSubsystem::PlayReplay()
{
	// A replay contains the server's segments, which convert the engine's world time to server time.
	Status = FNetClockStatus();
	const AGameStateBase* State = GetWorld()->GetGameState();
	const TArray<uint8>* Blob = State ? NetClock::BlobOf(*State) : nullptr;
	const double Seconds = State ? State->AGameStateBase::GetServerWorldTimeSeconds() : 0.0;
	if (!Blob)
	{
		return;
	}
	if (!Replay.IsValid() || Seconds < ReplaySeconds - ScrubbedSeconds)
	{
		Replay = UNetClockSession::MakeReader();
		ReplayBlob.Reset();
	}
	ReplaySeconds = Seconds;
	if (Replay.IsValid() && !(*Blob == ReplayBlob))
	{
		// If the bytes are a mixture of two blobs, the library rejects them, and the next update replaces
		// them.
		ReplayBlob = *Blob;
		static_cast<void>(Replay->read_blob(Blob->GetData(), static_cast<size_t>(Blob->Num())));
	}
	if (GetServerTimeOfWorldTime(ENetClockWorldClock::World, Seconds, Status.ServerTicks))
	{
		Status.State = ENetClockState::Holdover;
		Status.bIsSynced = true;
	}
}

const netclock::guest* UNetClockSubsystem::GetReader() const
{
	const UWorld* World = GetWorld();
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!World || NetClock::IsReplay(*World) || !Session)
	{
		return Replay.Get();
	}
	return World->GetNetMode() == NM_Client ? Session->GetGuest() : Session->GetHistory();
}

FNetClockWorldReading UNetClockSubsystem::GetWorldReading(ENetClockWorldClock Clock) const
{
	const UWorld* World = GetWorld();
	if (!World || NetClock::IsReplay(*World))
	{
		return FNetClockWorldReading();
	}
	if (World->GetNetMode() == NM_Client)
	{
		return Shown[static_cast<int32>(Clock)];
	}
	FNetClockWorldReading Reading;
	// Read the current values of the world's own clocks, rather than those at the start of the frame.
	Reading.bIsKnown = true;
	Reading.Seconds = SecondsOf(*World, Clock);
	Reading.Rate = RateOf(*World, Clock);
	Reading.ErrorBoundMs = Reading.ErrorBoundIfUnchangedMs = 0.0;
	return Reading;
}

double UNetClockSubsystem::ShowWorldTime(const AGameStateBase& State, double EngineSeconds) const
{
	// A replay has its own game state, even if it plays alongside the live game.
	if (!NetClock::IsClient(GetWorld()) || NetClock::GetLiveGameState(*GetWorld()) != &State)
	{
		return EngineSeconds;
	}
	// The engine's estimate can go backwards, but the displayed time must not.
	return bShownIsKnown ? ShownSeconds.load() : FMath::Max(ShownSeconds.load(), EngineSeconds);
}

bool UNetClockSubsystem::IsWorldTimeKnown() const
{
	return Shown[0].bIsKnown;
}

double UNetClockSubsystem::GetWorldTimeErrorBoundMs() const
{
	const bool bIsClient = NetClock::IsClient(GetWorld());
	if (!GetWorld() || NetClock::IsReplay(*GetWorld()) || (bIsClient && !IsWorldTimeKnown()))
	{
		return NetClock::UnknownMs;
	}
	// If the displayed time is ahead of the reading, stop it and add the difference to the bound.
	const FNetClockWorldReading Reading = GetWorldReading(ENetClockWorldClock::World);
	const double HeldBackMs = bIsClient ? FMath::Max(0.0, (ShownSeconds - Reading.Seconds) * 1000.0) : 0.0;
	return Reading.ErrorBoundMs + HeldBackMs;
}

bool UNetClockSubsystem::GetWorldTimeAt(
	ENetClockWorldClock Clock, int64 ServerTicks, double& WorldSeconds) const
{
	FNetClockWorldReading Reading;
	if (const netclock::guest* Reader = GetReader())
	{
		const auto Then = Reader->world_at(static_cast<uint32>(Clock), NetClock::ServerTime(ServerTicks));
		Reading = Then ? NetClock::WorldOf(*Then) : Reading;
	}
	// Times before the oldest segment are unknown, and so are times in segments that a replay has skipped.
	const double LargestMs =
		GetWorld() && NetClock::IsReplay(*GetWorld()) ? SkippedMs : NetClock::UnknownMs;
	const bool bIsKnown = Reading.bIsKnown && Reading.ErrorBoundIfUnchangedMs < LargestMs;
	WorldSeconds = bIsKnown ? Reading.Seconds : 0.0;
	return bIsKnown;
}

bool UNetClockSubsystem::GetServerTimeOfWorldTime(
	ENetClockWorldClock Clock, double WorldSeconds, int64& ServerTicks) const
{
	ServerTicks = 0;
	const netclock::guest* Reader = GetReader();
	int64 WorldTicks = 0;
	if (!Reader || !NetClock::WorldTicksOf(WorldSeconds, WorldTicks))
	{
		return false;
	}
	const auto Found = Reader->real_at(
		static_cast<uint32>(Clock), netclock::world_time{netclock::ticks{WorldTicks}});
	double Then = 0.0;
	const bool bIsKnown = Found && GetWorldTimeAt(Clock, NetClock::TicksOf(Found->first), Then);
	ServerTicks = bIsKnown ? NetClock::TicksOf(Found->first) : 0;
	return bIsKnown;
}

bool UNetClockSubsystem::GetAgeOfWorldTime(double WorldSeconds, double& AgeSeconds) const
{
	const FNetClockWorldReading Reading = GetWorldReading(ENetClockWorldClock::World);
	AgeSeconds = Reading.bIsKnown ? Reading.Seconds - WorldSeconds : 0.0;
	return Reading.bIsKnown;
}
