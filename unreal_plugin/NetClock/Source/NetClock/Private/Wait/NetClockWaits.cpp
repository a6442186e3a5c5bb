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

FNetClockWaitHandle UNetClockWaits::WaitUntilSynced(FNetClockWaitDelegate Done)
{
	FWait Wait;
	Wait.Kind = EKind::Synced;
	Wait.Done = MoveTemp(Done);
	return Add(Wait);
}

FNetClockWaitHandle UNetClockWaits::WaitUntilServerTime(int64 ServerTicks, FNetClockWaitDelegate Done)
{
	FWait Wait;
	Wait.Ticks = ServerTicks;
	Wait.ServerEpoch = ReadTimes().Status.ServerEpoch;
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
	Wait.Kind = EKind::WorldTime;
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
	// Also search the waits that are about to end in this frame, because the delegate of another wait may
	// cancel one of them.
	const bool bFound = Waits.RemoveAll(IsIt) + Ended.RemoveAll(IsIt) > 0;
	FollowFrames(!Waits.IsEmpty());
	return bFound;
}

void UNetClockWaits::BeforeActors()
{
	const FFrameTimes Times = ReadTimes();
	// All waits that end are removed before the first call, because a delegate may start another wait or end
	// the world.
	TArray<FWait> Remaining;
	for (FWait& Wait : Waits)
	{
		(HasEnded(Wait, Times) ? Ended : Remaining).Add(Wait);
	}
	Waits = MoveTemp(Remaining);
	FollowFrames(!Waits.IsEmpty());
	// The wait with the largest lateness has the earliest instant.
	Ended.StableSort(
		[](const FWait& A, const FWait& B) { return A.Result.LatenessMs > B.Result.LatenessMs; });
	CallEnded();
}

UNetClockWaits::FFrameTimes UNetClockWaits::ReadTimes() const
{
	FFrameTimes Times;
	const UWorld* World = GetWorld();
	const UNetClockSubsystem* Clock = World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
	if (!Clock)
	{
		return Times;
	}
	Times.Status = Clock->GetStatus();
	const AGameStateBase* State = NetClock::GetLiveGameState(*World);
	// Before the clock is synced, a client's world time is the engine's first guess. It is used only where
	// the clock can never sync.
	const bool bMayBeSynced =
		World->GetNetMode() == NM_Client && !NetClock::IsReplay(*World) && NetClock::IsLibraryUsable();
	Times.bWorldKnown = State && (Times.Status.bIsSynced || !bMayBeSynced);
	if (Times.bWorldKnown)
	{
		// The game state may show the engine's clock even while NetClock's world time is known.
		Times.WorldSeconds = Clock->ShowWorldTime(*State, State->GetServerWorldTimeSeconds());
		Times.WorldBoundMs = Clock->GetWorldTimeErrorBoundMs();
	}
	return Times;
}

bool UNetClockWaits::HasEnded(FWait& Wait, const FFrameTimes& Times)
{
	if (Wait.Kind == EKind::WorldTime)
	{
		Wait.Result.LatenessMs = (Times.WorldSeconds - Wait.WorldSeconds) * 1000.0;
		Wait.Result.ErrorBoundMs = Times.WorldBoundMs;
		return Times.bWorldKnown && Times.WorldSeconds >= Wait.WorldSeconds;
	}
	if (!Times.Status.bIsSynced)
	{
		return false;
	}
	Wait.Result.ErrorBoundMs = Times.Status.ErrorBoundMs;
	if (Wait.Kind == EKind::Synced)
	{
		return true;
	}
	if (Wait.ServerEpoch == 0)
	{
		Wait.ServerEpoch = Times.Status.ServerEpoch;
	}
	if (Wait.ServerEpoch != Times.Status.ServerEpoch)
	{
		Wait.Result = FNetClockWaited();
		Wait.Result.End = ENetClockWaitEnd::OtherServer;
		return true;
	}
	// Converted before subtracting, because the instant can be any number, and the difference could overflow.
	const double LateTicks = static_cast<double>(Times.Status.ServerTicks) - static_cast<double>(Wait.Ticks);
	Wait.Result.LatenessMs = LateTicks * 1000.0 / static_cast<double>(NetClock::TicksPerSecond);
	return Times.Status.ServerTicks >= Wait.Ticks;
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
