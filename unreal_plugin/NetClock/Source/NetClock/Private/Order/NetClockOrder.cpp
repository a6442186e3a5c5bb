// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Order/NetClockOrder.h"

#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "Exchange/NetClockProbes.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "GameFramework/PlayerController.h"
#include "Order/NetClockOrderBackend.h"

FNetClockStamp UNetClockOrder::GetEventStamp(const UObject* WorldContextObject)
{
	FNetClockStamp Stamp;
	if (const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject))
	{
		const FNetClockStatus Status = Clock->GetStatus();
		Stamp.ServerTicks = Status.ServerTicks;
		Stamp.ErrorBoundMs = Status.ErrorBoundMs;
		Stamp.ExpectedErrorMs = Status.ExpectedErrorMs;
	}
	return Stamp;
}

bool UNetClockOrder::GetRewindTime(const APlayerController* Player, int64 ClaimedTicks,
	double InterpolationMs, double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind)
{
	const UWorld* World = Player ? Player->GetWorld() : nullptr;
	const UNetClockSession* Session = UNetClockSession::Of(World);
	const int64 Arrived = Session ? Session->ServerTicks(NetClock::LocalTicks()) : NetClock::LocalTicks();
	Rewind = FNetClockRewind();
	Rewind.TargetTicks = Rewind.Acted.ServerTicks = Arrived;
	UNetClockComponent* Component = UNetClockComponent::Of(Player);
	if (!World || World->GetNetMode() == NM_Client)
	{
		return false;
	}
	FNetClockPath Path;
	Path.JitterMs = JitterMs;
	Path.InterpolationMs = InterpolationMs;
	Path.MaxRewindMs = MaxRewindMs;
	if (!Player->IsLocalController())
	{
		// The host's own player has no network path. For the others, the server's measurement counts.
		Path.RoundTripMs =
			Component ? Component->Find<FNetClockProbes>()->GetRoundTripMs() : NetClock::UnknownMs;
	}
	return Path.RoundTripMs < NetClock::UnknownMs && NetClock::Rewind(ClaimedTicks, Arrived, Path, Rewind);
}

namespace
{
	/** What a client's lead says of this frame; huge until it has a clock, zero where nobody leads. */
	double AskLead(const UObject* WorldContextObject, double (FNetClockLead::*Ask)(int64, int64) const)
	{
		const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
		if (World && (World->GetNetMode() != NM_Client || World->IsPlayingReplay()))
		{
			return 0.0;
		}
		const UNetClockSession* Session = UNetClockSession::Of(World);
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
		if (!Session || Session->IsUnconfirmed() || !Clock || !Clock->IsSynced())
		{
			return NetClock::UnknownMs;
		}
		const TSharedPtr<FNetClockLead>& Lead = Session->GetLead();
		return Lead.IsValid() ? ((*Lead).*Ask)(Clock->GetFrameTicks(), Clock->GetStatus().ServerTicks)
							  : NetClock::UnknownMs;
	}
}

double UNetClockOrder::GetPredictionLeadMs(const UObject* WorldContextObject)
{
	return AskLead(WorldContextObject, &FNetClockLead::GetAheadMs);
}

double UNetClockOrder::SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs)
{
	const double IntervalMs = FMath::IsFinite(SendIntervalMs) ? FMath::Max(0.0, SendIntervalMs) : 0.0;
	return FMath::Min(
		NetClock::UnknownMs, AskLead(WorldContextObject, &FNetClockLead::GetBehindMs) + IntervalMs);
}
