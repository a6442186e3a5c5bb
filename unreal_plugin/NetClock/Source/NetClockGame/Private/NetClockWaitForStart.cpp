// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockStart.h"

#include "Engine/World.h"

UNetClockWaitForStart* UNetClockWaitForStart::WaitForStart(const UObject* WorldContextObject)
{
	UNetClockWaitForStart* Made = NewObject<UNetClockWaitForStart>();
	if (Made->Prepare(WorldContextObject))
	{
		Made->Start = WorldContextObject->GetWorld()->GetSubsystem<UNetClockStart>();
	}
	return Made;
}

void UNetClockWaitForStart::Activate()
{
	UNetClockStart* Starts = Start.Get();
	UNetClockWaits* Waiting = Waits.Get();
	if (!Starts || !Waiting)
	{
		Cancel();
		return;
	}
	EndedHandle = Starts->OnStartEnded.AddUObject(this, &UNetClockWaitForStart::OnEnded);
	if (Starts->HasStarted())
	{
		// The wait must not end inside this call, so wait for the instant of the start. The start's instant
		// has passed, so the wait ends in the next frame.
		const FNetClockWaitDelegate Done =
			FNetClockWaitDelegate::CreateUObject(this, &UNetClockWaitForStart::OnWaited);
		Handle = Waiting->WaitUntilServerTime(Starts->GetStartStatus().AtTicks, Done);
	}
}

void UNetClockWaitForStart::StopWaiting()
{
	Super::StopWaiting();
	if (UNetClockStart* Starts = Start.Get())
	{
		Starts->OnStartEnded.Remove(EndedHandle);
	}
}

void UNetClockWaitForStart::OnEnded(ENetClockStartEnd End)
{
	const UNetClockStart* Starts = Start.Get();
	const FNetClockStartStatus Status = Starts ? Starts->GetStartStatus() : FNetClockStartStatus();
	switch (End)
	{
	case ENetClockStartEnd::Started:
		EndThrough(Started, Status.LatenessMs, Status.ErrorBoundMs);
		break;
	case ENetClockStartEnd::Cancelled:
		Cancel();
		break;
	case ENetClockStartEnd::WorldEnd:
		// Do not call Blueprints in a world that has ended.
		EndThrough(FNetClockWaitPin(), 0.0, NetClock::UnknownMs);
		break;
	}
}

void UNetClockWaitForStart::OnWaited(const FNetClockWaited& Waited)
{
	if (Waited.End == ENetClockWaitEnd::Reached)
	{
		EndThrough(Started, Waited.LatenessMs, Waited.ErrorBoundMs);
	}
}
