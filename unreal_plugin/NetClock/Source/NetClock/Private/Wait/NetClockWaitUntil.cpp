// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Wait/NetClockWaits.h"

#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"

namespace
{
	/** The longest delay, in seconds: three thousand years, so that the instant fits into 64 bits. */
	constexpr double MaxDelaySeconds = 1.0e11;
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
	// Keeps the node alive until SetReadyToDestroy().
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

UNetClockWaitUntil* UNetClockWaitUntil::Make(const UObject* WorldContextObject, EKind InKind)
{
	UNetClockWaitUntil* Wait = NewObject<UNetClockWaitUntil>();
	static_cast<void>(Wait->Prepare(WorldContextObject));
	Wait->Kind = InKind;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilSynced(const UObject* WorldContextObject)
{
	return Make(WorldContextObject, EKind::Synced);
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerTime(
	const UObject* WorldContextObject, int64 ServerTicks)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject, EKind::ServerTime);
	Wait->Ticks = ServerTicks;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerWorldTime(
	const UObject* WorldContextObject, double WorldSeconds)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject, EKind::WorldTime);
	Wait->Seconds = WorldSeconds;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitServerDelay(
	const UObject* WorldContextObject, double DelaySeconds)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject, EKind::Delay);
	Wait->Seconds = DelaySeconds;
	return Wait;
}

void UNetClockWaitUntil::Activate()
{
	UNetClockWaits* Waiting = Waits.Get();
	Handle = Waiting ? Start(*Waiting) : FNetClockWaitHandle();
	if (!Handle.IsValid())
	{
		Cancel();
	}
}

FNetClockWaitHandle UNetClockWaitUntil::Start(UNetClockWaits& Waiting)
{
	const FNetClockWaitDelegate Done =
		FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitUntil::OnWaited);
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Waiting);
	switch (Kind)
	{
	case EKind::WorldTime:
		return Waiting.WaitUntilServerWorldTime(Seconds, Done);
	case EKind::ServerTime:
		return Waiting.WaitUntilServerTime(Ticks, Done);
	case EKind::Delay:
		if (!FMath::IsFinite(Seconds))
		{
			return FNetClockWaitHandle();
		}
		if (Clock && Clock->IsSynced())
		{
			Kind = EKind::ServerTime;
			Ticks = Clock->GetServerTimeTicks() +
				UNetClockNodes::SecondsToTicks(FMath::Clamp(Seconds, 0.0, MaxDelaySeconds));
			return Waiting.WaitUntilServerTime(Ticks, Done);
		}
		break;
	default:
		break;
	}
	return Waiting.WaitUntilSynced(Done);
}

void UNetClockWaitUntil::OnWaited(const FNetClockWaited& Waited)
{
	switch (Waited.End)
	{
	case ENetClockWaitEnd::Reached:
		if (Kind == EKind::Delay)
		{
			// The clock is synced, so the delay starts.
			Activate();
			break;
		}
		EndThrough(Reached, Waited.LatenessMs, Waited.ErrorBoundMs);
		break;
	case ENetClockWaitEnd::OtherServer:
		Cancel();
		break;
	case ENetClockWaitEnd::WorldEnd:
		// When a world ends, its Blueprints are no longer called.
		EndThrough(FNetClockWaitPin(), 0.0, NetClock::UnknownMs);
		break;
	}
}
