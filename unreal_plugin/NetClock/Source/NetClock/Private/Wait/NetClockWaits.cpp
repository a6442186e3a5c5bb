// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Wait/NetClockWaits.h"

#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"

namespace
{
	/** The longest delay, in seconds (about 3,000 years). The end of the delay must fit in 64 bits. */
	constexpr double MaxDelaySeconds = 1.0e11;
}

void UNetClockWaits::Deinitialize()
{
	bWorldEnded = true;
	Ended.Append(Waits);
	Waits.Reset();
	for (FWait& Wait : Ended)
	{
		Wait.Result = FNetClockWaited();
		Wait.Result.End = ENetClockWaitEnd::WorldEnd;
	}
	CallEnded();
	Super::Deinitialize();
}

FNetClockWaitHandle UNetClockWaits::Add(
	ENetClockWaitKind Kind, int64 Ticks, double Seconds, FNetClockWaitDelegate Done)
{
	FNetClockWaitHandle Handle;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (bWorldEnded || !Clock || !FMath::IsFinite(Seconds))
	{
		return Handle;
	}
	FWait Wait;
	Handle.Number = Wait.Number = ++LastNumber;
	Wait.Kind = Kind;
	Wait.Ticks = Ticks;
	Wait.Seconds = Seconds;
	Wait.ServerEpoch = Clock->GetStatus().ServerEpoch;
	Wait.Done = MoveTemp(Done);
	StartDelay(Wait, Clock->GetStatus());
	Waits.Add(MoveTemp(Wait));
	FollowFrames(true);
	return Handle;
}

// A delay starts once the clock is synced, and then becomes a wait for a server time.
void UNetClockWaits::StartDelay(FWait& Wait, const FNetClockStatus& Status)
{
	if (Wait.Kind == ENetClockWaitKind::Delay && Status.bIsSynced)
	{
		Wait.Kind = ENetClockWaitKind::ServerTime;
		Wait.Ticks = Status.ServerTicks +
			UNetClockNodes::SecondsToTicks(FMath::Clamp(Wait.Seconds, 0.0, MaxDelaySeconds));
	}
}

bool UNetClockWaits::CancelWait(FNetClockWaitHandle Handle)
{
	const auto IsIt = [Handle](const FWait& Wait) { return Wait.Number == Handle.Number; };
	// We also search the waits that are about to end in this frame, because another wait's delegate may
	// cancel one of them.
	const bool bFound = Waits.RemoveAll(IsIt) + Ended.RemoveAll(IsIt) > 0;
	FollowFrames(!Waits.IsEmpty());
	return bFound;
}

void UNetClockWaits::BeforeActors()
{
	// Remove the waits that have ended before calling any delegate, because a delegate may start another wait
	// or end the world.
	TArray<FWait> Remaining;
	for (FWait& Wait : Waits)
	{
		(HasEnded(Wait) ? Ended : Remaining).Add(Wait);
	}
	Waits = MoveTemp(Remaining);
	FollowFrames(!Waits.IsEmpty());
	// Sort by descending lateness, so that the wait with the earliest instant ends first.
	Ended.StableSort(
		[](const FWait& A, const FWait& B) { return A.Result.LatenessMs > B.Result.LatenessMs; });
	CallEnded();
}

bool UNetClockWaits::HasEnded(FWait& Wait) const
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const FNetClockStatus Status = Clock ? Clock->GetStatus() : FNetClockStatus();
	if (Wait.Kind == ENetClockWaitKind::WorldTime)
	{
		return Clock && HasWorldTimeEnded(Wait, Status);
	}
	if (!Status.bIsSynced)
	{
		return false;
	}
	StartDelay(Wait, Status);
	Wait.Result.ErrorBoundMs = Status.ErrorBoundMs;
	if (Wait.Kind == ENetClockWaitKind::Synced)
	{
		return true;
	}
	Wait.ServerEpoch = Wait.ServerEpoch == 0 ? Status.ServerEpoch : Wait.ServerEpoch;
	if (Wait.ServerEpoch != Status.ServerEpoch)
	{
		Wait.Result = FNetClockWaited();
		Wait.Result.End = ENetClockWaitEnd::OtherServer;
		return true;
	}
	// Convert to double before subtracting, because an arbitrary instant could overflow ticks.
	const double LateTicks = static_cast<double>(Status.ServerTicks) - static_cast<double>(Wait.Ticks);
	Wait.Result.LatenessMs = LateTicks * 1000.0 / static_cast<double>(NetClock::TicksPerSecond);
	return Status.ServerTicks >= Wait.Ticks;
}

bool UNetClockWaits::HasWorldTimeEnded(FWait& Wait, const FNetClockStatus& Status) const
{
	const UWorld& World = *GetWorld();
	const UNetClockSubsystem& Clock = *UNetClockSubsystem::Of(this);
	const AGameStateBase* State = NetClock::GetLiveGameState(World);
	// Before the first sync, a client only has the engine's estimate. We use it only if the clock can never
	// sync.
	const bool bMayBeSynced = NetClock::IsClient(&World) && NetClock::IsLibraryUsable();
	if (!State || (!Status.bIsSynced && bMayBeSynced))
	{
		return false;
	}
	// The game state may return the engine's time even while NetClock's world time is known.
	const double Seconds = Clock.ShowWorldTime(*State, State->GetServerWorldTimeSeconds());
	Wait.Result.LatenessMs = (Seconds - Wait.Seconds) * 1000.0;
	Wait.Result.ErrorBoundMs = Clock.GetWorldTimeErrorBoundMs();
	return Seconds >= Wait.Seconds;
}

void UNetClockWaits::CallEnded()
{
	while (!Ended.IsEmpty())
	{
		const FWait Wait = Ended[0];
		Ended.RemoveAt(0);
		Wait.Done.ExecuteIfBound(Wait.Result);
	}
}

bool UNetClockWait::Prepare(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	if (!World || !World->GetGameInstance())
	{
		NetClock::ReportMisuse(TEXT("A wait"),
			TEXT("there is no game world, so the wait is cancelled. Start it from an object in a world that "
				 "plays, for example from an actor's BeginPlay."));
		return false;
	}
	// This keeps the node alive until SetReadyToDestroy().
	RegisterWithGameInstance(WorldContextObject);
	Waits = World->GetSubsystem<UNetClockWaits>();
	return true;
}

void UNetClockWait::Cancel()
{
	EndThrough(GetCancelledPin(), 0.0, NetClock::UnknownMs);
}

void UNetClockWait::EndThrough(const FNetClockWaitPin& Pin, double LatenessMs, double ErrorBoundMs)
{
	if (!bEnded)
	{
		bEnded = true;
		StopWaiting();
		Pin.Broadcast(LatenessMs, ErrorBoundMs);
		SetReadyToDestroy();
	}
}

const FNetClockWaitPin& UNetClockWait::GetCancelledPin() const
{
	static const FNetClockWaitPin Unbound;
	return Unbound;
}

void UNetClockWait::StopWaiting()
{
	if (UNetClockWaits* Waiting = Waits.Get())
	{
		Waiting->CancelWait(Handle);
	}
}

UNetClockWaitUntil* UNetClockWaitUntil::Make(
	const UObject* WorldContextObject, ENetClockWaitKind InKind, int64 InTicks, double InSeconds)
{
	UNetClockWaitUntil* Wait = NewObject<UNetClockWaitUntil>();
	static_cast<void>(Wait->Prepare(WorldContextObject));
	Wait->Kind = InKind;
	Wait->Ticks = InTicks;
	Wait->Seconds = InSeconds;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilSynced(const UObject* WorldContextObject)
{
	return Make(WorldContextObject, ENetClockWaitKind::Synced);
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerTime(
	const UObject* WorldContextObject, int64 ServerTicks)
{
	return Make(WorldContextObject, ENetClockWaitKind::ServerTime, ServerTicks);
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerWorldTime(
	const UObject* WorldContextObject, double WorldSeconds)
{
	return Make(WorldContextObject, ENetClockWaitKind::WorldTime, 0, WorldSeconds);
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitServerDelay(
	const UObject* WorldContextObject, double DelaySeconds)
{
	return Make(WorldContextObject, ENetClockWaitKind::Delay, 0, DelaySeconds);
}

void UNetClockWaitUntil::Activate()
{
	if (UNetClockWaits* Waiting = Waits.Get())
	{
		Handle = Waiting->Add(Kind, Ticks, Seconds,
			FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitUntil::OnWaited));
	}
	if (!Handle.IsValid())
	{
		Cancel();
	}
}

void UNetClockWaitUntil::OnWaited(const FNetClockWaited& Waited)
{
	if (Waited.End == ENetClockWaitEnd::WorldEnd)
	{
		// Do not call Blueprints in a world that has ended.
		EndThrough(FNetClockWaitPin(), 0.0, NetClock::UnknownMs);
		return;
	}
	EndThrough(Waited.End == ENetClockWaitEnd::Reached ? Reached : Cancelled, Waited.LatenessMs,
		Waited.ErrorBoundMs);
}
