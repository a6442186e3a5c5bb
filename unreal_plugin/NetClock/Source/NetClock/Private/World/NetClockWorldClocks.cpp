// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "World/NetClockWorldClocks.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "Engine/World.h"
#include "GameFramework/WorldSettings.h"

namespace
{
	/**
	 * A world time that is a float has steps of 8 ms after 18 hours. The length of a frame is more precise.
	 * So this adds up the frames, and stays within one step of the float.
	 */
	double Refined(double Before, double Passed, double Said, double Step)
	{
		return FMath::Clamp(Before + Passed, Said - Step, Said + Step);
	}

	/** The step between two floats. */
	double StepOf(double Seconds)
	{
		return sizeof(FNetClockWorldSeconds) == sizeof(float) ? FMath::Abs(Seconds) * 1.2e-7 : 0.0;
	}
}

TSharedPtr<FNetClockWorldClocks> FNetClockWorldClocks::CreateForServer(int64 Epoch, int32 World)
{
	TSharedPtr<FNetClockWorldClocks> Made = CreateForClient();
	for (int32 Index = 0; Made.IsValid() && Index < Num; ++Index)
	{
		Made->Clocks[Index].Publisher = FNetClockPublisher::Create(Epoch, World);
		if (!Made->Clocks[Index].Publisher.IsValid())
		{
			return nullptr;
		}
	}
	return Made;
}

TSharedPtr<FNetClockWorldClocks> FNetClockWorldClocks::CreateForClient()
{
	TSharedPtr<FNetClockWorldClocks> Made = MakeShared<FNetClockWorldClocks>();
	for (FOne& Clock : Made->Clocks)
	{
		Clock.Timeline = FNetClockTimeline::Create();
		if (!Clock.Timeline.IsValid())
		{
			return nullptr;
		}
	}
	return Made;
}

double FNetClockWorldClocks::RateOf(const UWorld& World, ENetClockWorldClock Clock)
{
	if (World.IsPaused() && Clock != ENetClockWorldClock::Unpaused)
	{
		return 0.0;
	}
	const AWorldSettings* Settings = World.GetWorldSettings();
	return Settings && Clock != ENetClockWorldClock::Audio
		? static_cast<double>(Settings->GetEffectiveTimeDilation())
		: 1.0;
}

uint32 FNetClockWorldClocks::Publish(const UWorld& World, int64 FrameTicks)
{
	const double Dilated = World.GetDeltaSeconds();
	const double Real = NetClock::TicksToSeconds(FrameTicks - LastFrameTicks);
	LastFrameTicks = FrameTicks;
	const auto One = [&](ENetClockWorldClock Clock, double Said, double Passed)
	{
		const double Rate = RateOf(World, Clock);
		return PublishOne(Clock, FrameTicks, Said, Rate > 0.0 ? Passed : 0.0, Rate);
	};
	const uint32 Changed = One(ENetClockWorldClock::World, World.GetTimeSeconds(), Dilated)
		| One(ENetClockWorldClock::Unpaused, World.GetUnpausedTimeSeconds(), Dilated)
		| One(ENetClockWorldClock::Audio, World.GetAudioTimeSeconds(), Real);
	// What the next frame brings may count from this one on. A segment that waits for the budget was right
	// even less long.
	ThroughTicks = FrameTicks;
	for (const FOne& Clock : Clocks)
	{
		ThroughTicks = FMath::Min(ThroughTicks, Clock.Publisher->GetThroughTicks());
	}
	return Changed;
}

uint32 FNetClockWorldClocks::PublishOne(
	ENetClockWorldClock Clock, int64 FrameTicks, double Said, double Passed, double Rate)
{
	FOne& One = Clocks[static_cast<int32>(Clock)];
	One.Seconds = Refined(One.Seconds, Passed, Said, StepOf(Said));
	if (!One.Publisher->Observe(FrameTicks, One.Seconds, Rate, One.Segment))
	{
		return 0;
	}
	// A copy for the server itself, which can be asked for past world times, too.
	static_cast<void>(One.Timeline->Insert(One.Segment));
	return 1u << static_cast<uint32>(Clock);
}

bool FNetClockWorldClocks::Learn(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	const int32 Index = static_cast<int32>(Clock);
	if (Index < 0 || Index >= Num || !FMath::IsFinite(Segment.Rate) ||
		!Clocks[Index].Timeline->Insert(Segment))
	{
		return false;
	}
	FNetClockWorldSegment& Newest = Clocks[Index].Segment;
	if (Segment.Epoch != Newest.Epoch || Segment.World != Newest.World || Segment.Version > Newest.Version)
	{
		Newest = Segment;
	}
	return true;
}

void FNetClockWorldClocks::Confirm(const FNetClockWorldKnowledge& Published, int64 Epoch, int64 Through)
{
	// Replies may arrive in another order than they left.
	if (Epoch != AnnouncedEpoch || Through >= AnnouncedThrough)
	{
		Announced = Published;
		AnnouncedEpoch = Epoch;
		AnnouncedThrough = Through;
	}
	if (!(GetKnowledge() == Published))
	{
		return;
	}
	for (FOne& One : Clocks)
	{
		One.Timeline->Confirm(Epoch, One.Segment.World, One.Segment.Version, Through);
	}
}

FNetClockWorldKnowledge FNetClockWorldClocks::GetKnowledge() const
{
	FNetClockWorldKnowledge Known;
	Known.World = Clocks[0].Segment.World;
	for (const FOne& One : Clocks)
	{
		// Versions count from one, and a client's are never ahead. So the sums are equal only if all are the
		// newest.
		Known.Segments += One.Segment.World == Known.World ? One.Segment.Version : 0;
	}
	return Known;
}

void FNetClockWorldClocks::Show(const FNetClockStatus& Status)
{
	const FNetClockWorldKnowledge Known = GetKnowledge();
	// The server said that something changed, and what it is has not arrived: then it is not unchanged.
	const bool bMissesChange = Announced.World == Known.World && Announced.Segments > Known.Segments;
	for (FOne& One : Clocks)
	{
		One.Reading = One.Timeline->Show(Status);
		if (bMissesChange)
		{
			One.Reading.ErrorBoundIfUnchangedMs = One.Reading.ErrorBoundMs;
		}
	}
}

bool FNetClockWorldClocks::WorldAt(ENetClockWorldClock Clock, int64 RealTicks, double& Seconds) const
{
	return At(Clock).Timeline->WorldAt(At(Clock).Segment.Epoch, RealTicks, Seconds);
}

bool FNetClockWorldClocks::RealAt(ENetClockWorldClock Clock, double Seconds, int64& RealTicks) const
{
	return At(Clock).Timeline->RealAt(At(Clock).Segment.Epoch, Seconds, RealTicks);
}
