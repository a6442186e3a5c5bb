// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Wait/NetClockWaits.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"

void UNetClockWaits::Deinitialize()
{
	bWorldEnded = true;
	for (const FWait& Wait : Waits)
	{
		Ended.Add(Wait);
	}
	Waits.Reset();
	for (FWait& Wait : Ended)
	{
		Wait.Result = FNetClockWaited();
		Wait.Result.End = ENetClockWaitEnd::WorldEnd;
	}
	CallEnded();
	Super::Deinitialize();
}

FNetClockWaitHandle UNetClockWaits::WaitUntilServerTime(int64 ServerTicks, FNetClockWaitDelegate Done)
{
	FWait Wait;
	Wait.Ticks = ServerTicks;
	Wait.ServerEpoch = Look().Status.ServerEpoch;
	Wait.Done = MoveTemp(Done);
	return Add(Wait);
}

FNetClockWaitHandle UNetClockWaits::WaitUntilServerWorldTime(double WorldSeconds, FNetClockWaitDelegate Done)
{
	if (!FMath::IsFinite(WorldSeconds))
	{
		return FNetClockWaitHandle();
	}
	FWait Wait;
	Wait.bOfWorld = true;
	Wait.WorldSeconds = WorldSeconds;
	Wait.Done = MoveTemp(Done);
	return Add(Wait);
}

FNetClockWaitHandle UNetClockWaits::Add(FWait& Wait)
{
	FNetClockWaitHandle Handle;
	if (!bWorldEnded)
	{
		Handle.Number = Wait.Number = ++LastNumber;
		Waits.Add(MoveTemp(Wait));
		FollowFrames(true);
	}
	return Handle;
}

bool UNetClockWaits::CancelWait(FNetClockWaitHandle Handle)
{
	const auto IsIt = [Handle](const FWait& Wait) { return Wait.Number == Handle.Number; };
	// Also a wait that ends in this frame, if the delegate of another one cancels it first.
	const bool bFound = Waits.RemoveAll(IsIt) + Ended.RemoveAll(IsIt) > 0;
	FollowFrames(!Waits.IsEmpty());
	return bFound;
}

void UNetClockWaits::BeforeActors()
{
	const FShown Shown = Look();
	// All waits that end are removed before the first call: a delegate may start another wait, or end the
	// world.
	TArray<FWait> Remaining;
	for (FWait& Wait : Waits)
	{
		(HasEnded(Wait, Shown) ? Ended : Remaining).Add(Wait);
	}
	Waits = MoveTemp(Remaining);
	FollowFrames(!Waits.IsEmpty());
	// The latest one waited for the earliest instant.
	Ended.StableSort(
		[](const FWait& A, const FWait& B) { return A.Result.LatenessMs > B.Result.LatenessMs; });
	CallEnded();
}

UNetClockWaits::FShown UNetClockWaits::Look() const
{
	FShown Shown;
	const UWorld* World = GetWorld();
	const UNetClockSubsystem* Clock = World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
	if (!Clock)
	{
		return Shown;
	}
	Shown.Status = Clock->GetStatus();
	const AGameStateBase* State = World->GetGameState();
	// Before the clock is synced, a client's world time is the engine's first guess. It counts only where the
	// clock can never sync.
	const bool bMayBeSynced =
		World->GetNetMode() == NM_Client && !World->IsPlayingReplay() && NetClock::IsLibraryUsable();
	Shown.bWorldKnown = State && (Shown.Status.bIsSynced || !bMayBeSynced);
	if (Shown.bWorldKnown)
	{
		// The game state may show the engine's clock, even if NetClock's world time is known.
		Shown.WorldSeconds = Clock->ShowWorldTime(State->GetServerWorldTimeSeconds());
		Shown.WorldBoundMs = Clock->GetWorldTimeErrorBoundMs();
	}
	return Shown;
}

bool UNetClockWaits::HasEnded(FWait& Wait, const FShown& Shown)
{
	if (Wait.bOfWorld)
	{
		Wait.Result.LatenessMs = (Shown.WorldSeconds - Wait.WorldSeconds) * 1000.0;
		Wait.Result.ErrorBoundMs = Shown.WorldBoundMs;
		return Shown.bWorldKnown && Shown.WorldSeconds >= Wait.WorldSeconds;
	}
	if (!Shown.Status.bIsSynced)
	{
		return false;
	}
	if (Wait.ServerEpoch == 0)
	{
		Wait.ServerEpoch = Shown.Status.ServerEpoch;
	}
	if (Wait.ServerEpoch != Shown.Status.ServerEpoch)
	{
		Wait.Result = FNetClockWaited();
		Wait.Result.End = ENetClockWaitEnd::OtherServer;
		return true;
	}
	// Converted before subtracting: the instant can be any number, and the difference could overflow.
	const double LateTicks = static_cast<double>(Shown.Status.ServerTicks) - static_cast<double>(Wait.Ticks);
	Wait.Result.LatenessMs = LateTicks * 1000.0 / static_cast<double>(NetClock::TicksPerSecond);
	Wait.Result.ErrorBoundMs = Shown.Status.ErrorBoundMs;
	return Shown.Status.ServerTicks >= Wait.Ticks;
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
