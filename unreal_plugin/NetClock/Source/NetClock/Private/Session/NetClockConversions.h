// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include <type_traits>
#include "NetClock/Clock/NetClockTypes.h"

class UNetClockSettings;

namespace netclock
{
	struct config;
	struct event;
	struct host_config;
	struct reading;
	struct seed;
	struct world_reading;
}

namespace NetClock
{
	/** The maximum number of players that a server can serve at the same time. */
	constexpr uint32 HostCapacity = 256;

	void DoNotUseLibrary();

	/** Returns the id of this boot, or zero if it is unknown. The library gives less weight to clock rates
	 * that were saved during earlier boots. */
	int64 BootId();

	/** Returns the current date in seconds, for comparison with the dates of earlier sessions. */
	int64 CalendarSeconds();

	/** Return a random seed, and a random epoch that is never zero. */
	netclock::seed DrawSeed();
	int64 DrawEpoch();

	/** Convert the settings to the library's configurations. Fields without a setting keep the library's
	 * defaults. */
	netclock::config ConfigOf(const UNetClockSettings& Settings);
	netclock::host_config HostConfigOf(const UNetClockSettings& Settings);

	FNetClockStatus StatusOf(const netclock::reading& Reading);

	/** The result is unknown if the time is so large that a double cannot resolve ticks. */
	FNetClockWorldReading WorldOf(const netclock::world_reading& Reading);

	/** Returns false for events that another part of the plugin reports. */
	bool IncidentOf(const netclock::event& Event, FNetClockIncident& Incident);

	/** Converts seconds to the nearest tick. Returns false if the time is so large that a double cannot
	 * resolve ticks. */
	bool WorldTicksOf(double Seconds, int64& Ticks);

	template <class T> TArray<uint8> BytesOf(const T& From, size_t Count)
	{
		return TArray<uint8>(reinterpret_cast<const uint8*>(From.data()), static_cast<int32>(Count));
	}

	void LogNotCreated();

	/** Returns the object that a library function has created. If the function failed, logs the reason and
	 * returns null. */
	template <class TResult> auto Owned(TResult Result)
	{
		using T = std::decay_t<decltype(*Result)>;
		if (!Result)
		{
			LogNotCreated();
			return TSharedPtr<T>();
		}
		return TSharedPtr<T>(MakeShared<T>(MoveTemp(*Result)));
	}
}
