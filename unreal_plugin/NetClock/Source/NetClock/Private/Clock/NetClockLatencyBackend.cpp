// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_latency.h: changes of latency.

#include "Clock/NetClockLatencyBackend.h"

#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClockCLibrary.h"

TSharedPtr<FNetClockLatency> FNetClockLatency::Create()
{
	auto Config = NetClock::Sized<netclock_latency_config>();
	Config.least_change =
		NetClock::MsToTicks(static_cast<double>(UNetClockSettings::Get().LeastLatencyChangeMs));
	return Own<FNetClockLatency>(&netclock_latency_destroy,
		[&Config](netclock_latency** Made) { return netclock_latency_create(&Config, Made); });
}

void FNetClockLatency::Follow(const FNetClockClient& Client)
{
	static_cast<void>(netclock_latency_follow(Handle, Client.Handle));
}

bool FNetClockLatency::NextChange(FNetClockIncident& Change)
{
	auto Found = NetClock::Sized<netclock_latency_change>();
	if (netclock_latency_next_change(Handle, &Found) != NETCLOCK_OK)
	{
		return false;
	}
	Change = FNetClockIncident();
	Change.Kind = FNetClockIncident::EKind::LatencyChanged;
	Change.Direction =
		Found.direction == NETCLOCK_TO_SERVER ? ENetClockDirection::ToServer : ENetClockDirection::ToClient;
	Change.BeforeMs = NetClock::TicksToMs(Found.before);
	Change.AfterMs = NetClock::TicksToMs(Found.after);
	return true;
}

void FNetClockLatency::ReadSpeed(int64 Now, double& Scale, double& ShiftMs) const
{
	auto Speed = NetClock::Sized<netclock_latency_speed>();
	if (netclock_latency_read_speed(Handle, Now, &Speed) == NETCLOCK_OK)
	{
		Scale = Speed.scale;
		ShiftMs = NetClock::TicksToMs(Speed.done);
	}
}
