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

/** Conversions from the library's types to the engine's. */
namespace NetClock
{
	/** Marks the library as missing. The plugin then no longer calls any of its functions, not even the one
	 * for its version. */
	void DoNotUseLibrary();

	/** Returns the id of this machine's boot. Rates that were stored before this boot count less. Zero if it
	 * is unknown. */
	int64 BootId();

	netclock::seed SeedOf(const FGuid& Drawn);
	FNetClockStatus StatusOf(const netclock::reading& Reading);

	/** The result is unknown if the time is too large for a double. */
	FNetClockWorldReading WorldOf(const netclock::world_reading& Reading);

	/** Returns false for events that other parts of the plugin report. */
	bool IncidentOf(const netclock::event& Event, FNetClockIncident& Incident);

	/** Converts seconds to the nearest tick of a world's clock. Returns false if a double cannot resolve
	 * it. */
	bool WorldTicksOf(double Seconds, int64& Ticks);
}
