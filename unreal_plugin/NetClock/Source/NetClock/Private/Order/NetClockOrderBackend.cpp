// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_order.h: order, rewinding and prediction.

#include "Order/NetClockOrderBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

namespace
{
	/** Largest number of ms that a game may pass. A larger one counts as unbounded, well before ticks
	 * overflow. */
	constexpr double MostMs = 1.0e9;

	/** Rounds a bound up. What is negative or not a number becomes -1, which the library refuses. */
	int64_t TicksOfMs(double Ms)
	{
		if (!(Ms >= 0.0))
		{
			return -1;
		}
		return Ms >= MostMs ? NETCLOCK_UNBOUNDED : -static_cast<int64_t>(FMath::FloorToDouble(-Ms * 1.0e4));
	}

	netclock_order_stamp StampOf(const FNetClockStamp& Stamp)
	{
		netclock_order_stamp Result{};
		Result.time = Stamp.ServerTicks;
		Result.error_bound = TicksOfMs(Stamp.ErrorBoundMs);
		Result.expected_error = TicksOfMs(Stamp.ExpectedErrorMs);
		return Result;
	}

	/** As far as a lead uses it. */
	netclock_reading ReadingOf(const FNetClockStatus& Shown)
	{
		netclock_reading Reading{};
		Reading.struct_size = sizeof(Reading);
		Reading.epoch = static_cast<uint32_t>(Shown.Epoch);
		Reading.server_time = Shown.ServerTicks;
		return Reading;
	}

	ENetClockRewindLimit LimitOf(int32_t Limit)
	{
		switch (Limit)
		{
		case NETCLOCK_LIMIT_ARRIVAL: return ENetClockRewindLimit::Arrival;
		case NETCLOCK_LIMIT_PATH: return ENetClockRewindLimit::Path;
		case NETCLOCK_LIMIT_MAX_REWIND: return ENetClockRewindLimit::MaxRewind;
		default: return ENetClockRewindLimit::None;
		}
	}
}

TSharedPtr<FNetClockLead> FNetClockLead::Create()
{
	// The configuration has no frames, because both ends of each message are stamped as frames show them. It
	// also has no time between a server's states: the caller adds it.
	auto Config = NetClock::Sized<netclock_lead_config>();
	// As a double, 0.99f is above 0.99.
	Config.quantile = FMath::Min(static_cast<double>(UNetClockSettings::Get().InTimeShare), 0.99);
	return Own<FNetClockLead>(&netclock_lead_destroy,
		[&Config](netclock_lead** Made) { return netclock_lead_create(&Config, Made); });
}

void FNetClockLead::NoteSent(int64 Message, int64 FrameTicks, const FNetClockStatus& Shown)
{
	const netclock_reading Reading = ReadingOf(Shown);
	static_cast<void>(netclock_lead_note_sent(Handle, static_cast<uint64_t>(Message), FrameTicks, &Reading));
}

void FNetClockLead::NoteArrived(int64 Message, int64 ArrivedTicks)
{
	static_cast<void>(netclock_lead_note_arrived(Handle, static_cast<uint64_t>(Message), ArrivedTicks));
}

void FNetClockLead::NoteReceived(int64 SentTicks, int64 FrameTicks, const FNetClockStatus& Shown)
{
	const netclock_reading Reading = ReadingOf(Shown);
	static_cast<void>(netclock_lead_note_received(Handle, SentTicks, FrameTicks, &Reading));
}

double FNetClockLead::GetAheadMs(int64 FrameTicks, int64 ShownTicks) const
{
	int64_t HandledBy = 0;
	return netclock_lead_suggest(Handle, FrameTicks, &HandledBy, nullptr) == NETCLOCK_OK
		? NetClock::TicksToMs(HandledBy - ShownTicks)
		: NetClock::UnknownMs;
}

double FNetClockLead::GetBehindMs(int64 FrameTicks, int64 ShownTicks) const
{
	int64_t Showable = 0;
	return netclock_lead_suggest(Handle, FrameTicks, nullptr, &Showable) == NETCLOCK_OK
		? NetClock::TicksToMs(ShownTicks - Showable)
		: NetClock::UnknownMs;
}

bool UNetClockOrder::CompareEventTimes(const FNetClockStamp& First, const FNetClockStamp& Second,
	bool bSameClock, double Confidence, ENetClockOrder& Order, double& Probability, bool& bProven)
{
	Order = ENetClockOrder::TooClose;
	Probability = 0.5;
	bProven = false;
	const netclock_order_stamp A = StampOf(First);
	const netclock_order_stamp B = StampOf(Second);
	auto Verdict = NetClock::Sized<netclock_order_verdict>();
	if (!NetClock::IsLibraryUsable() ||
		netclock_arbitrate(&A, &B, bSameClock ? 1 : 0, Confidence, &Verdict) != NETCLOCK_OK)
	{
		return false;
	}
	Order = Verdict.order == NETCLOCK_ORDER_BEFORE ? ENetClockOrder::Before
		: Verdict.order == NETCLOCK_ORDER_AFTER    ? ENetClockOrder::After
												   : ENetClockOrder::TooClose;
	Probability = Verdict.probability;
	bProven = Verdict.proven != 0;
	return true;
}

bool NetClock::Rewind(
	int64 ClaimedTicks, int64 ArrivedTicks, const FNetClockPath& Path, FNetClockRewind& Result)
{
	auto Known = NetClock::Sized<netclock_rewind_path>();
	Known.round_trip = TicksOfMs(Path.RoundTripMs);
	Known.jitter = TicksOfMs(Path.JitterMs);
	Known.interpolation = TicksOfMs(Path.InterpolationMs);
	Known.max_rewind = TicksOfMs(Path.MaxRewindMs);
	auto Found = NetClock::Sized<netclock_rewind_result>();
	if (!IsLibraryUsable() || netclock_rewind(ClaimedTicks, ArrivedTicks, &Known, &Found) != NETCLOCK_OK)
	{
		return false;
	}
	Result.TargetTicks = Found.target;
	Result.BackMs = NetClock::TicksToMs(ArrivedTicks - Found.target);
	Result.MovedMs = NetClock::TicksToMs(Found.moved);
	Result.Limit = LimitOf(Found.limit);
	Result.Acted.ServerTicks = Found.acted;
	Result.Acted.ErrorBoundMs = NetClock::SpanToMs(Found.error_bound);
	return true;
}
