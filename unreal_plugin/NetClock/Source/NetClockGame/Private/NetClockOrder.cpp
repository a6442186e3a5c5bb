// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockOrder.h"

#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Game/NetClockWatch.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The largest value that counts as bounded, in ms. In ticks, it is far from overflowing. */
	constexpr double MostMs = 1.0e9;

	/** Rounds a bound up. Negative values and NaN become -1, which the library rejects. */
	netclock::ticks SpanOf(double Ms)
	{
		if (!(Ms >= 0.0))
		{
			return netclock::ticks{-1};
		}
		return netclock::ticks{
			Ms >= MostMs ? NETCLOCK_UNBOUNDED : -static_cast<int64>(FMath::FloorToDouble(-Ms * 1.0e4))};
	}

	std::optional<netclock::ticks> BoundOf(double Ms)
	{
		return Ms >= MostMs ? std::nullopt : std::optional<netclock::ticks>{SpanOf(Ms)};
	}

	netclock::order_stamp StampOf(const FNetClockStamp& Stamp)
	{
		return {NetClock::ServerTime(Stamp.ServerTicks), BoundOf(Stamp.ErrorBoundMs),
			BoundOf(Stamp.ExpectedErrorMs)};
	}

	/** Gets a player's round-trip time. Returns false if the server has not measured it yet. */
	bool RoundTripOf(const APlayerController& Player, int64 Arrived, netclock::ticks& RoundTrip)
	{
		// The host's own player has no network path, so the round-trip time is zero.
		RoundTrip = netclock::ticks{};
		if (Player.IsLocalController())
		{
			return true;
		}
		if (UNetClockWatch* Watch = UNetClockWatch::Of(&Player))
		{
			Watch->Measure();
		}
		const UNetClockComponent* Component = UNetClockComponent::Of(&Player);
		UNetClockSession* Session = UNetClockSession::Of(&Player);
		const int32 Number = Component && Session ? Session->NumberOf(*Component) : -1;
		if (Number < 0 || !Session->GetHost())
		{
			return false;
		}
		const auto Measured =
			Session->GetHost()->round_trip(static_cast<std::uint64_t>(Number), NetClock::ServerTime(Arrived));
		RoundTrip = *Measured;
		return static_cast<bool>(Measured);
	}

	/** Returns the prediction lead if bAhead is true, and the downlink delay otherwise, in ms relative to the
	 * time displayed in this frame. The result is huge until it is known, and zero without a server. */
	double LeadMs(const UObject* WorldContextObject, bool bAhead)
	{
		const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
		if (World && (World->GetNetMode() != NM_Client || NetClock::IsReplay(*World)))
		{
			return 0.0;
		}
		const UNetClockSession* Session = UNetClockSession::Of(World);
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
		if (!Session || !Session->GetGuest() || !Clock || !Clock->IsSynced())
		{
			return NetClock::UnknownMs;
		}
		const auto Lead = Session->GetGuest()->report();
		const int64 Shown = Clock->GetServerTimeTicks();
		return !Lead || !Lead->handled_by || !Lead->showable ? NetClock::UnknownMs
			: bAhead ? NetClock::TicksToMs(NetClock::TicksOf(*Lead->handled_by) - Shown)
					 : NetClock::TicksToMs(Shown - NetClock::TicksOf(*Lead->showable));
	}
}

FNetClockStamp UNetClockOrder::GetEventStamp(const UObject* WorldContextObject)
{
	FNetClockStamp Stamp;
	if (const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject))
	{
		const FNetClockStatus Status = Clock->GetStatus();
		if (!Status.bIsSynced)
		{
			NetClock::ReportMisuse(TEXT("Get Event Stamp"),
				TEXT("the clock is not synced yet, so the stamp is meaningless. Check Is Server Time Synced "
					 "first, or continue after Wait Until Synced."));
		}
		Stamp.ServerTicks = Status.ServerTicks;
		Stamp.ErrorBoundMs = Status.ErrorBoundMs;
		Stamp.ExpectedErrorMs = Status.ExpectedErrorMs;
	}
	return Stamp;
}

bool UNetClockOrder::CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second,
	bool bSameClock, double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven)
{
	Order = ENetClockOrder::TooClose;
	Probability = 0.5;
	bProven = false;
	if (!NetClock::IsLibraryUsable())
	{
		return false;
	}
	const auto Verdict = netclock::arbitrate(StampOf(First), StampOf(Second),
		bSameClock ? netclock::clocks::same : netclock::clocks::independent, Confidence);
	if (!Verdict)
	{
		return false;
	}
	Order = NetClock::Same<ENetClockOrder::After, netclock::order::after>(Verdict->order);
	Probability = Verdict->probability;
	bProven = Verdict->proven;
	return true;
}

bool UNetClockOrder::GetRewindTime(const APlayerController* Player, int64 ClaimedTicks,
	double InterpolationMs, double JitterMs, double MaxRewindMs, FNetClockRewind& Rewind)
{
	const UWorld* World = Player ? Player->GetWorld() : nullptr;
	const UNetClockSession* Session = UNetClockSession::Of(World);
	const int64 Arrived = Session ? Session->ServerTicks(NetClock::LocalTicks()) : NetClock::LocalTicks();
	Rewind = FNetClockRewind();
	Rewind.TargetTicks = Rewind.Acted.ServerTicks = Arrived;
	netclock::rewind_path Path;
	if (!World || World->GetNetMode() == NM_Client || !NetClock::IsLibraryUsable() ||
		!RoundTripOf(*Player, Arrived, Path.round_trip))
	{
		return false;
	}
	Path.jitter = SpanOf(JitterMs);
	Path.interpolation = SpanOf(InterpolationMs);
	Path.max_rewind = SpanOf(MaxRewindMs);
	const auto Found =
		netclock::rewind(NetClock::ServerTime(ClaimedTicks), NetClock::ServerTime(Arrived), Path);
	if (!Found)
	{
		return false;
	}
	Rewind.TargetTicks = NetClock::TicksOf(Found->target);
	Rewind.BackMs = NetClock::TicksToMs(Arrived - Rewind.TargetTicks);
	Rewind.MovedMs = NetClock::MsOf(Found->moved);
	Rewind.Limit =
		NetClock::Same<ENetClockRewindLimit::MaxRewind, netclock::rewind_limit::max_rewind>(Found->limit);
	Rewind.Acted.ServerTicks = NetClock::TicksOf(Found->acted);
	Rewind.Acted.ErrorBoundMs = NetClock::MsOf(Found->error_bound);
	return true;
}

double UNetClockOrder::GetPredictionLeadMs(const UObject* WorldContextObject)
{
	return LeadMs(WorldContextObject, true);
}

double UNetClockOrder::GetDownlinkDelayMs(const UObject* WorldContextObject)
{
	return LeadMs(WorldContextObject, false);
}

double UNetClockOrder::SuggestInterpolationDelayMs(const UObject* WorldContextObject, double SendIntervalMs)
{
	const double IntervalMs = FMath::IsFinite(SendIntervalMs) ? FMath::Max(0.0, SendIntervalMs) : 0.0;
	return FMath::Min(NetClock::UnknownMs, GetDownlinkDelayMs(WorldContextObject) + IntervalMs);
}
