// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Wait/NetClockWaitUntil.h"

#include "Engine/World.h"

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerTime(const UObject* WorldContextObject, int64 ServerTicks)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject);
	Wait->Ticks = ServerTicks;
	return Wait;
}

UNetClockWaitUntil* UNetClockWaitUntil::WaitUntilServerWorldTime(const UObject* WorldContextObject, double WorldSeconds)
{
	UNetClockWaitUntil* Wait = Make(WorldContextObject);
	Wait->bOfWorld = true;
	Wait->Seconds = WorldSeconds;
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
		const FNetClockWaitDelegate Done = FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitUntil::OnWaited);
		Handle = bOfWorld ? Deciding->WaitUntilServerWorldTime(Seconds, Done) : Deciding->WaitUntilServerTime(Ticks, Done);
	}
	if (!Handle.IsValid())
	{
		EndAs(Cancelled, 0.0, NetClock::UnknownMs);
	}
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
