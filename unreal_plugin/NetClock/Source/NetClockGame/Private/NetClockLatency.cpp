// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockLatency.h"

#include "Engine/World.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"

void UNetClockLatency::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndingHandle = UNetClockSubsystem::OnFrameEnding.AddUObject(this, &UNetClockLatency::OnFrameEnding);
}

void UNetClockLatency::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnding.Remove(FrameEndingHandle);
	Super::Deinitialize();
}

bool UNetClockLatency::IsClient() const
{
	const UNetClockSession* Session = UNetClockSession::Of(this);
	return NetClock::IsClient(GetWorld()) && Session && Session->GetGuest() && !Session->IsUnconfirmed();
}

void UNetClockLatency::OnFrameEnding(UWorld* World)
{
	// Get the guest again each time, because a listener may end the session.
	while (World == GetWorld() && IsClient())
	{
		const auto Change = UNetClockSession::Of(this)->GetGuest()->next_latency_change();
		if (!Change)
		{
			break;
		}
		const bool bUp = Change->went == netclock::direction::to_server;
		const double BeforeMs = NetClock::MsOf(Change->before);
		const double AfterMs = NetClock::MsOf(Change->after);
		if (const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this))
		{
			FNetClockIncident Incident;
			Incident.Kind = FNetClockIncident::EKind::Other;
			const double ByMs = AfterMs - BeforeMs;
			Incident.Text =
				FString::Printf(TEXT("The path to the %s became %.1f ms %s (from %.1f to %.1f ms)"),
					bUp ? TEXT("server") : TEXT("client"), FMath::Abs(ByMs),
					ByMs > 0.0 ? TEXT("longer") : TEXT("shorter"), BeforeMs, AfterMs);
			Clock->OnIncident.Broadcast(Incident);
		}
		OnLatencyChanged.Broadcast(
			bUp ? ENetClockDirection::ToServer : ENetClockDirection::ToClient, BeforeMs, AfterMs);
	}
}

double UNetClockLatency::GetSuggestedSpeedScale() const
{
	return IsClient() ? UNetClockSession::Of(this)->GetGuest()->report()->speed_scale : 1.0;
}
