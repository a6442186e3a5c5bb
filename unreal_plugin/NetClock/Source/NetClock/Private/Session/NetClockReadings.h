// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClock/World/NetClockWorldTypes.h"

struct FGuid;

namespace netclock
{
	struct event;
	struct reading;
	struct seed;
	struct world_reading;
}

/** What the library says, in the engine's types. */
namespace NetClock
{
	/** From now on the library counts as missing: the plugin does not call it, not even for its version. */
	void DoNotUseLibrary();

	/** The identity of this machine's boot: rates that were kept before it count less. Zero if unknown. */
	int64 BootId();

	netclock::seed SeedOf(const FGuid& Drawn);
	FNetClockStatus StatusOf(const netclock::reading& Reading);

	/** Not known if its time is too large for a double. */
	FNetClockWorldReading WorldOf(const netclock::world_reading& Reading);

	/** False for what others report. */
	bool IncidentOf(const netclock::event& Event, FNetClockIncident& Incident);

	/** To the nearest tick of a world's clock. False if a double cannot hold it. */
	bool WorldTicksOf(double Seconds, int64& Ticks);
}
