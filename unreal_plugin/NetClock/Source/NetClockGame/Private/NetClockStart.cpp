// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Implements the part of a start that runs on every machine. The server's part is in NetClockStartServer.cpp.

#include "NetClock/Game/NetClockStart.h"

#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"

/** Beats at a fixed rate, which is a whole number of beats per second. */
struct FNetClockBeats
{
	/** The server time at which beat 0 begins, in ticks. */
	int64 OriginTicks = 0;
	/** Beats per second, from 1 to 240. */
	int32 Rate = 0;
	int64 Next = 0;

	static constexpr int32 MaxRate = 240;

	/** The maximum number of beats in a frame. This allows 240 beats per second at 10 frames per second, with
	 * a few more to catch up. */
	static constexpr uint32 MaxInFrame = 32;

	netclock_beat Get() const
	{
		netclock_beat Beat{};
		Beat.origin = OriginTicks;
		Beat.next = Next;
		Beat.beats = static_cast<uint32>(FMath::Max(0, Rate));
		Beat.seconds = 1;
		Beat.max_steps = MaxInFrame;
		// Begin with `next`. If the machine joined late, this is the beat after the current one.
		Beat.begun = 1;
		return Beat;
	}
};

namespace
{
	UNetClockStartMemory* MemoryOf(const UWorld* World)
	{
		const UGameInstance* Game = World ? World->GetGameInstance() : nullptr;
		return Game ? Game->GetSubsystem<UNetClockStartMemory>() : nullptr;
	}

	UNetConnection* ConnectionOf(const UWorld* World)
	{
		const UNetDriver* Driver = World ? World->GetNetDriver() : nullptr;
		return Driver ? Driver->ServerConnection : nullptr;
	}
}

void UNetClockStart::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndingHandle = UNetClockSubsystem::OnFrameEnding.AddUObject(this, &UNetClockStart::OnFrameEnding);
}

void UNetClockStart::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnding.Remove(FrameEndingHandle);
	UNetClockStartMemory* Memory = MemoryOf(GetWorld());
	if (Memory && Shown.AtTicks != 0)
	{
		Memory->EndedTicks = Shown.AtTicks;
		Memory->Connection = ConnectionOf(GetWorld());
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = bPrepared && Session ? Session->GetHost() : nullptr;
	if (Host)
	{
		// This fails if no start has been announced.
		static_cast<void>(Host->cancel_start(NetClock::ServerTime(ServerTicks())));
		static_cast<void>(Host->end_starts());
	}
	bPrepared = bWanted = false;
	Shown = FNetClockStartStatus();
	OnStartEnded.Broadcast(ENetClockStartEnd::WorldEnd);
	Super::Deinitialize();
}

bool UNetClockStart::IsServer() const
{
	const UWorld* World = GetWorld();
	return World && World->GetNetMode() != NM_Client && !NetClock::IsReplay(*World);
}

// Follows the world's frames only while a start or a beat may be due.
void UNetClockStart::OnFrameEnding(UWorld* World)
{
	if (World != GetWorld() || !UNetClockSubsystem::Of(this))
	{
		return;
	}
	bool bNews = false;
	if (IsServer())
	{
		ScheduleWhenReady();
	}
	else if (const UNetClockSession* Session = UNetClockSession::Of(this); Session && Session->GetGuest())
	{
		const auto Progress = Session->GetGuest()->start();
		bNews = Progress && Progress->stage != netclock::stage::waiting &&
			IsNew(NetClock::TicksOf(Progress->at));
	}
	FollowFrames(bNews || IsStartScheduled() || (HasStarted() && Beats.IsValid() && Beats->Rate > 0));
}

void UNetClockStart::BeforeActors()
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!IsServer())
	{
		FollowServer();
	}
	else if (Clock && IsStartScheduled() && Clock->GetServerTimeTicks() >= Shown.AtTicks)
	{
		Start(Shown.AtTicks, NetClock::TicksToMs(Clock->GetServerTimeTicks() - Shown.AtTicks), 0.0, false);
	}
	BroadcastBeats();
}

bool UNetClockStart::IsNew(int64 AtTicks) const
{
	const UNetClockStartMemory* Memory = MemoryOf(GetWorld());
	const bool bIsOfLastWorld = Memory && AtTicks == Memory->EndedTicks && Memory->Connection.IsValid() &&
		Memory->Connection == ConnectionOf(GetWorld());
	return AtTicks > StartedTicks && !bIsOfLastWorld;
}

void UNetClockStart::FollowServer()
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Clock || !Clock->IsInServersWorld() || !Clock->IsSynced() || !Session || !Session->GetGuest())
	{
		return;
	}
	const auto Progress = Session->GetGuest()->start();
	const int64 AtTicks = NetClock::TicksOf(Progress->at);
	if (Progress && Progress->stage == netclock::stage::waiting && IsStartScheduled())
	{
		NoteCancelled();
	}
	if (!Progress || Progress->stage == netclock::stage::waiting || !IsNew(AtTicks))
	{
		return;
	}
	if (Progress->stage != netclock::stage::announced)
	{
		const double SinceMs = NetClock::TicksToMs(Clock->GetServerTimeTicks() - AtTicks);
		Start(AtTicks, Progress->fires ? NetClock::MsOf(Progress->lateness) : SinceMs,
			NetClock::MsOf(Progress->error_bound, NetClock::UnknownMs),
			Progress->stage == netclock::stage::joined);
	}
	else if (!IsStartScheduled() || Shown.AtTicks != AtTicks)
	{
		Schedule(AtTicks, 0);
	}
}

void UNetClockStart::Start(int64 AtTicks, double LatenessMs, double ErrorBoundMs, bool bLate)
{
	if (AtTicks <= StartedTicks)
	{
		return;
	}
	StartedTicks = AtTicks;
	const int32 NotReady = Shown.NotReady;
	Shown = FNetClockStartStatus();
	Shown.NotReady = NotReady;
	Shown.Stage = bLate ? ENetClockStartStage::JoinedLate : ENetClockStartStage::Started;
	Shown.AtTicks = AtTicks;
	Shown.LatenessMs = LatenessMs;
	Shown.ErrorBoundMs = ErrorBoundMs;
	StartBeats(!bLate);
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

bool UNetClockStart::GetTimeSinceStart(double& SinceSeconds) const
{
	SinceSeconds = 0.0;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	return (IsStartScheduled() || HasStarted()) && Clock &&
		Clock->GetAgeOfServerTime(Shown.AtTicks, SinceSeconds);
}

bool UNetClockStart::GetBeat(int32 BeatsPerSecond, int64& Beat, double& Alpha) const
{
	Beat = 0;
	Alpha = 0.0;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!HasStarted() || !Clock || !Clock->IsSynced())
	{
		return false;
	}
	FNetClockBeats Asked;
	Asked.OriginTicks = Shown.AtTicks;
	Asked.Rate = BeatsPerSecond;
	const netclock_beat Asking = Asked.Get();
	int64_t Number = 0;
	const bool bKnown = NetClock::IsLibraryUsable() &&
		netclock_beat_at(&Asking, Clock->GetServerTimeTicks(), &Number, &Alpha) == NETCLOCK_OK;
	Beat = Number;
	return bKnown;
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
	StartBeats(false);
	return true;
}

void UNetClockStart::StartBeats(bool bFromZero)
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
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!HasStarted() || !Beats.IsValid() || Beats->Rate == 0 || !Clock || !Clock->IsSynced())
	{
		return;
	}
	netclock_beat Asked = Beats->Get();
	netclock_beat_steps Steps{};
	if (!NetClock::IsLibraryUsable() ||
		netclock_beat_advance(&Asked, Clock->GetServerTimeTicks(), &Steps) != NETCLOCK_OK)
	{
		return;
	}
	Beats->Next = Asked.next;
	const int64 First = Steps.first;
	const int32 Count = static_cast<int32>(Steps.count);
	const int32 Rate = Beats->Rate;
	// Stop if a listener changes the rate or ends the world.
	for (int32 Index = 0; Index < Count && HasStarted() && Beats->Rate == Rate; ++Index)
	{
		OnBeat.Broadcast(First + Index);
	}
}
