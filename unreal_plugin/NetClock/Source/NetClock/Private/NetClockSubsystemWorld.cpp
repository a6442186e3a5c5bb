// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// World time: the server finds out how it follows from its real time, a client goes from real time back to it.

#include "Engine/World.h"
#include "GameFramework/WorldSettings.h"
#include "NetClockBackend.h"
#include "NetClockSession.h"
#include "NetClockSubsystem.h"
#include "NetClockVersion.h"

namespace
{
	/**
	 * Frames that a server looks at. The real time is read a little after the engine read it for the world's time; the
	 * frame in which that took least counts.
	 */
	constexpr int32 OffsetWindow = 8;

	/** A relation that is off by more than this is published anew, in seconds. */
	constexpr double SegmentTolerance = 0.00025;

	/** What the bound allows for that, and for the publication being under way, in ms. */
	constexpr double SegmentAllowanceMs = 0.75;

	/** A world time that fell back is held until it has caught up; if it fell back by more than this, in ms, it jumps. */
	constexpr double MaxHoldMs = 1000.0;

	double Seconds(int64 Ticks)
	{
		return static_cast<double>(Ticks) / static_cast<double>(NetClock::TicksPerSecond);
	}
}

void UNetClockSubsystem::FollowOwnWorld()
{
	const UWorld* World = GetWorld();
	const AWorldSettings* Settings = World->GetWorldSettings();
	const bool bConstantRate = !World->IsPaused() && Settings && FMath::Abs(Settings->GetEffectiveTimeDilation() - 1.0f) < 1.0e-6f;
	const double Offset = static_cast<double>(World->GetTimeSeconds()) - Seconds(FrameTicks);
	bool bChanged = bConstantRate != Segment.bConstantRate || Segment.Epoch == 0;
	if (bConstantRate)
	{
		if (bChanged)
		{
			RecentOffsets.Reset();
			NextOffset = 0;
		}
		if (RecentOffsets.Num() < OffsetWindow)
		{
			RecentOffsets.Add(Offset);
		}
		else
		{
			RecentOffsets[NextOffset] = Offset;
			NextOffset = (NextOffset + 1) % OffsetWindow;
		}
		double Best = Offset;
		for (const double Recent : RecentOffsets)
		{
			Best = FMath::Max(Best, Recent);
		}
		const double Published = Segment.WorldSeconds - Seconds(Segment.RealTicks);
		bChanged = bChanged || FMath::Abs(Best - Published) > SegmentTolerance;
		Segment.WorldSeconds = bChanged ? Seconds(FrameTicks) + Best : Segment.WorldSeconds;
		Segment.RealTicks = bChanged ? FrameTicks : Segment.RealTicks;
	}
	if (bChanged)
	{
		const UNetClockSession* Session = GetSession();
		Segment.Epoch = Session ? Session->GetServerEpoch() : 0;
		Segment.bConstantRate = bConstantRate;
		OnServerSegmentChanged.Broadcast(Segment);
	}
}

void UNetClockSubsystem::SetServerSegment(const FNetClockWorldSegment& NewSegment)
{
	Segment = NewSegment;
	if (!FMath::IsFinite(Segment.WorldSeconds))
	{
		Segment.bConstantRate = false;
	}
}

void UNetClockSubsystem::PlaceWorldTime()
{
	bWorldKnown = Status.bIsSynced && Segment.bConstantRate && Segment.Epoch != 0 && Segment.Epoch == Status.ServerEpoch;
	HeldMs = 0.0;
	if (!bWorldKnown)
	{
		return;
	}
	WorldSeconds = Segment.WorldSeconds + (Seconds(Status.ServerTicks) - Seconds(Segment.RealTicks));
	const double BehindMs = (ShownSeconds - WorldSeconds) * 1000.0;
	if (BehindMs > MaxHoldMs)
	{
		ShownSeconds = WorldSeconds;
		OnDiscontinuity.Broadcast(ENetClockCause::WorldJump, -BehindMs);
	}
	else if (BehindMs > 0.0)
	{
		WorldSeconds = ShownSeconds;
		HeldMs = BehindMs;
	}
}

double UNetClockSubsystem::ShowWorldTime(double EngineSeconds) const
{
	const UWorld* World = GetWorld();
	if (!World || World->GetNetMode() != NM_Client || World->IsPlayingReplay())
	{
		return EngineSeconds;
	}
	// The engine's own clock may fall back; what was shown does not, but for a jump that is declared.
	const double Known = bWorldKnown ? WorldSeconds : EngineSeconds;
	if (Known > ShownSeconds || (ShownSeconds - Known) * 1000.0 > MaxHoldMs)
	{
		ShownSeconds = Known;
	}
	return ShownSeconds;
}

double UNetClockSubsystem::GetWorldTimeErrorBoundMs() const
{
	const UWorld* World = GetWorld();
	if (!World || World->GetNetMode() != NM_Client)
	{
		return World && !World->IsPlayingReplay() ? 0.0 : NetClock::UnknownMs;
	}
	if (!bWorldKnown || Status.ErrorBoundMs >= NetClock::UnknownMs)
	{
		return NetClock::UnknownMs;
	}
	// What a world time loses by being a float: half a unit in the last place, on the server and here.
	const double Rounding = sizeof(FNetClockWorldSeconds) == sizeof(float) ? FMath::Abs(WorldSeconds) * 1.2e-4 : 0.0;
	return Status.ErrorBoundMs + SegmentAllowanceMs + HeldMs + Rounding;
}
