// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_utc.h: the server's UTC.

#include "Utc/NetClockUtcBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

namespace
{
	void Take(const netclock_utc_claim& From, FNetClockUtcClaim& To)
	{
		To.Epoch = static_cast<int64>(From.server_epoch);
		To.Version = static_cast<int32>(From.version);
		To.ZeroTicks = From.zero;
		To.ReadTicks = From.read;
		To.BoundTicks = From.bound;
		To.DriftPpm = static_cast<int32>(From.drift_ppm);
	}

	netclock_utc_claim Give(const FNetClockUtcClaim& From)
	{
		auto To = NetClock::Sized<netclock_utc_claim>();
		To.version = static_cast<uint32_t>(From.Version);
		To.server_epoch = static_cast<uint64_t>(From.Epoch);
		To.zero = From.ZeroTicks;
		To.read = From.ReadTicks;
		To.bound = From.BoundTicks;
		To.drift_ppm = static_cast<uint64_t>(From.DriftPpm);
		return To;
	}
}

bool NetClock::ReadUtc(FNetClockUtcSample& Sample)
{
	int64_t Local = 0;
	int64_t Utc = 0;
	int64_t Uncertainty = 0;
	if (!IsLibraryUsable() || netclock_utc_now(&Local, &Utc, &Uncertainty) != NETCLOCK_OK)
	{
		return false;
	}
	Sample.LocalTicks = Local;
	Sample.UtcTicks = Utc;
	Sample.UncertaintyTicks = Uncertainty;
	return true;
}

TSharedPtr<FNetClockUtcPublisher> FNetClockUtcPublisher::Create(int64 Epoch)
{
	auto Config = NetClock::Sized<netclock_utc_publisher_config>();
	// The setting is the largest difference between two machines, half of it for each.
	Config.drift_ppm = static_cast<uint32_t>(UNetClockSettings::Get().MaxDriftPpm / 2.0f) + 1u;
	return Own<FNetClockUtcPublisher>(&netclock_utc_publisher_destroy, [&](netclock_utc_publisher** Made)
		{ return netclock_utc_publisher_create(&Config, static_cast<uint64_t>(Epoch), Made); });
}

bool FNetClockUtcPublisher::Observe(
	int64 ServerTicks, const FNetClockUtcSample& Sample, int64 BoundTicks, FNetClockUtcClaim& Claim)
{
	const int64 Bound = BoundTicks == NetClock::Unbounded ? BoundTicks : BoundTicks + Sample.UncertaintyTicks;
	auto Due = NetClock::Sized<netclock_utc_claim>();
	if (netclock_utc_publisher_observe(Handle, ServerTicks, Sample.UtcTicks, Bound, &Due) != NETCLOCK_OK)
	{
		return false;
	}
	Take(Due, Claim);
	return true;
}

TSharedPtr<FNetClockServerUtc> FNetClockServerUtc::Create()
{
	// The engine replicates claims. No requests are made, so that no id has to be unguessable.
	return Own<FNetClockServerUtc>(&netclock_server_utc_destroy,
		[](netclock_server_utc** Made) { return netclock_server_utc_create(0, 1, Made); });
}

bool FNetClockServerUtc::Insert(const FNetClockUtcClaim& Claim, int64& JumpTicks, bool& bFirst)
{
	int64_t At = 0;
	bFirst = netclock_server_utc_server_time_at(Handle, static_cast<uint64_t>(Claim.Epoch), 0, &At) ==
		NETCLOCK_NO_UTC;
	const netclock_utc_claim Given = Give(Claim);
	int64_t Jump = 0;
	if (netclock_server_utc_insert(Handle, &Given, &Jump) != NETCLOCK_OK)
	{
		return false;
	}
	JumpTicks = Jump;
	return true;
}

bool FNetClockServerUtc::Read(const FNetClockStatus& Status, int64& UtcTicks, double& ErrorBoundMs) const
{
	auto Now = NetClock::Sized<netclock_reading>();
	Now.server_time = Status.ServerTicks;
	Now.error_bound = NetClock::BoundToTicks(Status.ErrorBoundMs);
	Now.server_epoch = static_cast<uint64_t>(Status.ServerEpoch);
	Now.state = Status.bIsSynced ? NETCLOCK_STATE_SYNCED : NETCLOCK_STATE_UNSYNCED;
	auto Shown = NetClock::Sized<netclock_utc_reading>();
	if (netclock_server_utc_read(Handle, &Now, &Shown) != NETCLOCK_OK)
	{
		return false;
	}
	UtcTicks = Shown.utc;
	ErrorBoundMs = NetClock::SpanToMs(Shown.error_bound);
	return true;
}

bool FNetClockServerUtc::ServerTicksAt(int64 Epoch, int64 UtcTicks, int64& ServerTicks) const
{
	int64_t At = 0;
	if (netclock_server_utc_server_time_at(Handle, static_cast<uint64_t>(Epoch), UtcTicks, &At) !=
		NETCLOCK_OK)
	{
		return false;
	}
	ServerTicks = At;
	return true;
}
