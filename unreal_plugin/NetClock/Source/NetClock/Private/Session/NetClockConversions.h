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
	/** A server can serve this many players at a time. */
	constexpr uint32 HostCapacity = 256;

	void DoNotUseLibrary();

	/** The id of this boot, or zero if unknown. Clock rates saved during earlier boots weigh less. */
	int64 BootId();

	/** Returns the current date in seconds, for comparison with the dates of earlier sessions. */
	int64 CalendarSeconds();

	/** Return random numbers. An epoch is never zero. */
	netclock::seed DrawSeed();
	int64 DrawEpoch();

	/** Return the library's configurations. A value that has no setting keeps the library's default. */
	netclock::config ConfigOf(const UNetClockSettings& Settings);
	netclock::host_config HostConfigOf(const UNetClockSettings& Settings);

	FNetClockStatus StatusOf(const netclock::reading& Reading);

	/** The result is unknown if the time is too large for a double to resolve. */
	FNetClockWorldReading WorldOf(const netclock::world_reading& Reading);

	/** Returns false for events that other parts of the plugin report instead. */
	bool IncidentOf(const netclock::event& Event, FNetClockIncident& Incident);

	/** Converts seconds to the nearest tick. Returns false if a double cannot resolve it. */
	bool WorldTicksOf(double Seconds, int64& Ticks);

	template <class T> TArray<uint8> BytesOf(const T& From, size_t Count)
	{
		return TArray<uint8>(reinterpret_cast<const uint8*>(From.data()), static_cast<int32>(Count));
	}

	void LogNotCreated();

	/** Returns the object in a library result. If there is none, logs the reason and returns null. */
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
