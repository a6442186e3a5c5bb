// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Wait/NetClockWaits.h"

#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"

namespace
{
	/** The longest delay, in seconds: three thousand years. The instant is within 64 bits then. */
	constexpr double MaxDelaySeconds = 1.0e11;

	/** Earlier than any time that a server shows. */
	constexpr int64 EarliestTicks = -9223372036854775807;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerTime(
	const UObject* WorldContextObject, int64 ServerTicks)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject);
	Wait->Ticks = ServerTicks;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerWorldTime(
	const UObject* WorldContextObject, double WorldSeconds)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject);
	Wait->bOfWorld = true;
	Wait->Seconds = WorldSeconds;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitServerDelay(
	const UObject* WorldContextObject, double DelaySeconds)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject);
	Wait->bDelay = true;
	Wait->Seconds = DelaySeconds;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::Make(const UObject* WorldContextObject)
{
	UNetClockWaitUntil* Wait = NewObject<UNetClockWaitUntil>();
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	if (World && World->GetGameInstance())
	{
		// Keeps it alive until SetReadyToDestroy().
		Wait->RegisterWithGameInstance(WorldContextObject);
		Wait->Waits = World->GetSubsystem<UNetClockWaits>();
	}
	return Wait;
}

void UNetClockWaitUntil::Activate()
{
	if (UNetClockWaits* Deciding = Waits.Get())
	{
		Handle = Begin(*Deciding);
	}
	if (!Handle.IsValid())
	{
		EndAs(Cancelled, 0.0, NetClock::UnknownMs);
	}
}

FNetClockWaitHandle UNetClockWaitUntil::Begin(UNetClockWaits& Deciding)
{
	const FNetClockWaitDelegate Done =
		FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitUntil::OnWaited);
	if (bOfWorld)
	{
		return Deciding.WaitUntilServerWorldTime(Seconds, Done);
	}
	if (bDelay && !FMath::IsFinite(Seconds))
	{
		return FNetClockWaitHandle();
	}
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&Deciding);
	if (bDelay && Clock && Clock->IsSynced())
	{
		bDelay = false;
		Ticks = Clock->GetServerTimeTicks() +
			UNetClockNodes::SecondsToTicks(FMath::Clamp(Seconds, 0.0, MaxDelaySeconds));
	}
	// Before it is known, any time has passed as soon as the clock is synced.
	return Deciding.WaitUntilServerTime(bDelay ? EarliestTicks : Ticks, Done);
}

void UNetClockWaitUntil::Cancel()
{
	if (UNetClockWaits* Deciding = Waits.Get())
	{
		Deciding->CancelWait(Handle);
	}
	EndAs(Cancelled, 0.0, NetClock::UnknownMs);
}

void UNetClockWaitUntil::OnWaited(const FNetClockWaited& Waited)
{
	switch (Waited.End)
	{
	case ENetClockWaitEnd::Reached:
		if (bDelay)
		{
			Activate();
			break;
		}
		EndAs(Reached, Waited.LatenessMs, Waited.ErrorBoundMs);
		break;
	case ENetClockWaitEnd::OtherServer:
		EndAs(Cancelled, 0.0, NetClock::UnknownMs);
		break;
	case ENetClockWaitEnd::WorldEnd:
		// The Blueprints of a world that ends are not called any more.
		EndAs(FNetClockWaitPin(), 0.0, NetClock::UnknownMs);
		break;
	}
}

void UNetClockWaitUntil::EndAs(const FNetClockWaitPin& Pin, double LatenessMs, double ErrorBoundMs)
{
	if (!bEnded)
	{
		bEnded = true;
		Pin.Broadcast(LatenessMs, ErrorBoundMs);
		SetReadyToDestroy();
	}
}
