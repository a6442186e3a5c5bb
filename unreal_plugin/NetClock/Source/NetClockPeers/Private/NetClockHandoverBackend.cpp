// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_handover.h: handing a timescale over.

#include "NetClockHandoverBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "Misc/Guid.h"
#include "NetClockCLibrary.h"

namespace
{
	using NetClock::FBytes;
	static_assert(NETCLOCK_DATAGRAM_SIZE == FBytes::Size, "four numbers of eight bytes");
}

TSharedPtr<FNetClockAdoption> FNetClockAdoption::Create(int64 Timescale, int32 Liars, const FGuid& Seed)
{
	if (Liars < 0)
	{
		return nullptr;
	}
	auto Config = NetClock::Sized<netclock_adoption_config>();
	Config.liars = Liars == 0 ? static_cast<uint32_t>(NETCLOCK_NO_LIARS) : static_cast<uint32_t>(Liars);
	Config.timescale = static_cast<uint64_t>(Timescale);
	Config.max_drift_ppm = static_cast<double>(UNetClockSettings::Get().MaxDriftPpm);
	return Own<FNetClockAdoption>(&netclock_adoption_destroy, [&](netclock_adoption** Made)
		{ return netclock_adoption_create(&Config, NetClock::HighOf(Seed), NetClock::LowOf(Seed), Made); });
}

bool FNetClockAdoption::AddOwnReading(int64 OutsideTicks, double ErrorBoundMs, int64 Now)
{
	return netclock_adoption_add_own_reading(
			   Handle, OutsideTicks, NetClock::BoundToTicks(ErrorBoundMs), Now) == NETCLOCK_OK;
}

bool FNetClockAdoption::MakeRequest(int32 Player, int64 Now, FNetClockDatagram& Question)
{
	FBytes Message;
	if (netclock_adoption_request(Handle, static_cast<uint64_t>(Player), Now, Message.Bytes, FBytes::Size) !=
		NETCLOCK_OK)
	{
		return false;
	}
	Question = Message.Datagram();
	return true;
}

void FNetClockAdoption::HandleReply(int32 Player, const FNetClockDatagram& Answer, int64 Arrived)
{
	const FBytes Message(Answer);
	static_cast<void>(netclock_adoption_handle_reply(
		Handle, static_cast<uint64_t>(Player), Message.Bytes, FBytes::Size, Arrived));
}

ENetClockContinuation FNetClockAdoption::Settle(int64 Now, FNetClockAdopted& Adopted) const
{
	auto Made = NetClock::Sized<netclock_adoption_result>();
	switch (netclock_adoption_settle(Handle, Now, &Made))
	{
	case NETCLOCK_OK: break;
	case NETCLOCK_TOO_FEW: return ENetClockContinuation::TooFew;
	case NETCLOCK_NO_AGREEMENT: return ENetClockContinuation::NoAgreement;
	default: return ENetClockContinuation::OutOfRange;
	}
	Adopted.Timescale = static_cast<int64>(Made.timescale);
	Adopted.OffsetTicks = Made.offset;
	Adopted.DispersionMs = NetClock::TicksToMs(Made.dispersion);
	Adopted.Answers = static_cast<int32>(Made.answers);
	return ENetClockContinuation::Continued;
}
