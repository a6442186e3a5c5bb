// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_world.h: the world's clocks.

#include "World/NetClockWorldBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The plugin reads the real time of a frame a little after the engine does. This is the allowance for
	 * it, in ticks. */
	constexpr int64 ReadLag = NetClock::TicksPerSecond / 1000;

	/** Longer times of a world are refused: from 2^28 s (8.5 years) on a double cannot hold ticks. */
	constexpr double MostSeconds = 268435456.0;

	/** To the nearest tick. False if a double cannot hold it. */
	bool TicksOf(double Seconds, int64_t& Ticks)
	{
		// Not a number is refused, too.
		const bool bExact = FMath::Abs(Seconds) < MostSeconds;
		Ticks = bExact ? static_cast<int64_t>(FMath::FloorToDouble(
							 Seconds * static_cast<double>(NetClock::TicksPerSecond) + 0.5))
					   : 0;
		return bExact;
	}

	/** A different number for each tick. False if a double cannot hold it. */
	bool SecondsOf(int64_t Ticks, double& Seconds)
	{
		Seconds = NetClock::TicksToSeconds(Ticks);
		return FMath::Abs(Seconds) < MostSeconds;
	}

	void Take(const netclock_world_segment& From, FNetClockWorldSegment& To)
	{
		To.Epoch = static_cast<int64>(From.server_epoch);
		To.World = static_cast<int32>(From.instance);
		To.Version = static_cast<int32>(From.version);
		To.SinceTicks = From.since;
		To.RealTicks = From.real;
		To.WorldTicks = From.world;
		To.Rate = From.paused ? 0.0 : From.rate;
		To.ToleranceTicks = From.tolerance;
	}

	netclock_world_segment Give(const FNetClockWorldSegment& From)
	{
		auto To = NetClock::Sized<netclock_world_segment>();
		To.server_epoch = static_cast<uint64_t>(From.Epoch);
		To.instance = static_cast<uint32_t>(From.World);
		To.version = static_cast<uint32_t>(From.Version);
		To.since = From.SinceTicks;
		To.real = From.RealTicks;
		To.world = From.WorldTicks;
		To.paused = From.Rate > 0.0 ? 0 : 1;
		To.rate = From.Rate;
		To.tolerance = From.ToleranceTicks;
		To.through = From.RealTicks;
		return To;
	}
}

TSharedPtr<FNetClockPublisher> FNetClockPublisher::Create(int64 Epoch, int32 World)
{
	auto Config = NetClock::Sized<netclock_publisher_config>();
	Config.read_lag = ReadLag;
	return Own<FNetClockPublisher>(&netclock_publisher_destroy,
		[&](netclock_publisher** Made)
		{
			return netclock_publisher_create(
				&Config, static_cast<uint64_t>(Epoch), static_cast<uint32_t>(World), Made);
		});
}

bool FNetClockPublisher::Observe(int64 RealTicks, double Seconds, double Rate, FNetClockWorldSegment& Segment)
{
	int64_t World = 0;
	auto Published = NetClock::Sized<netclock_world_segment>();
	if (!TicksOf(Seconds, World) ||
		netclock_publisher_observe(Handle, RealTicks, World, Rate, Rate > 0.0 ? 0 : 1, &Published) !=
			NETCLOCK_OK)
	{
		return false;
	}
	Take(Published, Segment);
	return true;
}

int64 FNetClockPublisher::GetThroughTicks() const
{
	auto Newest = NetClock::Sized<netclock_world_segment>();
	return netclock_publisher_newest(Handle, &Newest) == NETCLOCK_OK ? Newest.through : 0;
}

TSharedPtr<FNetClockTimeline> FNetClockTimeline::Create()
{
	return Own<FNetClockTimeline>(&netclock_timeline_destroy,
		[](netclock_timeline** Made) { return netclock_timeline_create(nullptr, Made); });
}

bool FNetClockTimeline::Insert(const FNetClockWorldSegment& Segment)
{
	const netclock_world_segment Given = Give(Segment);
	const netclock_status Status = netclock_timeline_insert(Handle, &Given);
	return Status == NETCLOCK_OK || Status == NETCLOCK_ALREADY_KNOWN;
}

TArray<uint8> FNetClockTimeline::DatagramOf(const FNetClockWorldSegment& Segment)
{
	const netclock_world_segment Given = Give(Segment);
	uint8 Bytes[NETCLOCK_SEGMENT_SIZE];
	TArray<uint8> Datagram;
	if (netclock_encode_segment(&Given, Bytes, sizeof(Bytes)) == NETCLOCK_OK)
	{
		for (const uint8 Byte : Bytes)
		{
			Datagram.Add(Byte);
		}
	}
	return Datagram;
}

void FNetClockTimeline::Confirm(int64 Epoch, int32 World, int32 Version, int64 ThroughTicks)
{
	// The library refuses what is about another world.
	static_cast<void>(netclock_timeline_confirm(Handle, static_cast<uint64_t>(Epoch),
		static_cast<uint32_t>(World), static_cast<uint32_t>(Version), ThroughTicks));
}

FNetClockWorldReading FNetClockTimeline::Show(const FNetClockStatus& Status)
{
	FNetClockWorldReading Result;
	auto Now = NetClock::Sized<netclock_reading>();
	Now.server_time = Status.ServerTicks;
	Now.error_bound = NetClock::BoundToTicks(Status.ErrorBoundMs);
	Now.server_epoch = static_cast<uint64_t>(Status.ServerEpoch);
	Now.epoch = static_cast<uint32_t>(Status.Epoch);
	Now.state = Status.bIsSynced ? NETCLOCK_STATE_SYNCED : NETCLOCK_STATE_UNSYNCED;
	auto Shown = NetClock::Sized<netclock_world_reading>();
	double Seconds = 0.0;
	if (netclock_timeline_show(Handle, &Now, &Shown) != NETCLOCK_OK || !SecondsOf(Shown.world_time, Seconds))
	{
		return Result;
	}
	Result.bIsKnown = true;
	Result.Seconds = Seconds;
	Result.Rate = Shown.rate;
	Result.ErrorBoundMs = NetClock::SpanToMs(Shown.error_bound);
	Result.ErrorBoundIfUnchangedMs = NetClock::SpanToMs(Shown.error_bound_if_unchanged);
	Result.Epoch = static_cast<int32>(Shown.epoch);
	Result.JumpMs = NetClock::TicksToMs(Shown.jump);
	return Result;
}

bool FNetClockTimeline::WorldAt(int64 Epoch, int64 RealTicks, double& Seconds) const
{
	auto Said = NetClock::Sized<netclock_world_reading>();
	return netclock_timeline_world_at(Handle, static_cast<uint64_t>(Epoch), RealTicks, &Said) ==
		NETCLOCK_OK &&
		SecondsOf(Said.world_time, Seconds);
}

bool FNetClockTimeline::RealAt(int64 Epoch, double Seconds, int64& RealTicks) const
{
	int64_t World = 0;
	int64_t First = 0;
	int64_t Last = 0;
	if (!TicksOf(Seconds, World) ||
		netclock_timeline_real_at(Handle, static_cast<uint64_t>(Epoch), World, &First, &Last) != NETCLOCK_OK)
	{
		return false;
	}
	RealTicks = First;
	return true;
}
