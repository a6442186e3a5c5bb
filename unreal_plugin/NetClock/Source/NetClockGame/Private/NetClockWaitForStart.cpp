// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockStart.h"

#include "Engine/World.h"

UNetClockWaitForStart* UNetClockWaitForStart::WaitForStart(const UObject* WorldContextObject)
{
	UNetClockWaitForStart* Made = NewObject<UNetClockWaitForStart>();
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	if (World && World->GetGameInstance())
	{
		// Keeps it alive until SetReadyToDestroy().
		Made->RegisterWithGameInstance(WorldContextObject);
		Made->Start = World->GetSubsystem<UNetClockStart>();
		Made->Waits = World->GetSubsystem<UNetClockWaits>();
	}
	return Made;
}

void UNetClockWaitForStart::Activate()
{
	UNetClockStart* Making = Start.Get();
	UNetClockWaits* Deciding = Waits.Get();
	if (!Making || !Deciding)
	{
		EndAs(Cancelled, 0.0, NetClock::UnknownMs);
		return;
	}
	EndedHandle = Making->OnStartEnded.AddUObject(this, &UNetClockWaitForStart::OnEnded);
	if (Making->HasStarted())
	{
		// Never inside this call. The instant is also past in the next frame.
		const FNetClockWaitDelegate Done =
			FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitForStart::OnWaited);
		Wait = Deciding->WaitUntilServerTime(Making->GetStartStatus().AtTicks, Done);
	}
}

void UNetClockWaitForStart::Cancel()
{
	EndAs(Cancelled, 0.0, NetClock::UnknownMs);
}

void UNetClockWaitForStart::OnEnded(ENetClockStartEnd End)
{
	const UNetClockStart* Making = Start.Get();
	switch (End)
	{
	case ENetClockStartEnd::Started:
		EndAs(Started, Making ? Making->GetStartStatus().LatenessMs : 0.0,
			Making ? Making->GetStartStatus().ErrorBoundMs : NetClock::UnknownMs);
		break;
	case ENetClockStartEnd::Cancelled:
		EndAs(Cancelled, 0.0, NetClock::UnknownMs);
		break;
	case ENetClockStartEnd::WorldEnd:
		// The Blueprints of a world that ends are not called any more.
		EndAs(FNetClockStartPin(), 0.0, NetClock::UnknownMs);
		break;
	}
}

void UNetClockWaitForStart::OnWaited(const FNetClockWaited& Waited)
{
	if (Waited.End == ENetClockWaitEnd::Reached)
	{
		EndAs(Started, Waited.LatenessMs, Waited.ErrorBoundMs);
	}
}

void UNetClockWaitForStart::EndAs(const FNetClockStartPin& Pin, double LatenessMs, double ErrorBoundMs)
{
	if (bEnded)
	{
		return;
	}
	bEnded = true;
	if (UNetClockStart* Making = Start.Get())
	{
		Making->OnStartEnded.Remove(EndedHandle);
	}
	if (UNetClockWaits* Deciding = Waits.Get())
	{
		Deciding->CancelWait(Wait);
	}
	Pin.Broadcast(LatenessMs, ErrorBoundMs);
	SetReadyToDestroy();
}
