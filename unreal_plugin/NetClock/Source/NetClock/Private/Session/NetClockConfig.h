// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include <type_traits>
#include "Misc/Guid.h"
#include "NetClock/Base/NetClockBase.h"

class UNetClockSettings;

namespace netclock
{
	struct config;
	struct guest_config;
	struct host_config;
}

/** Converts the project's settings to the library's configurations, and creates the library's objects. */
namespace NetClock
{
	/** The largest number of players that a server serves at a time. */
	constexpr uint32 HostCapacity = 256;

	/** Returns a random epoch, which is never zero. */
	inline int64 DrawEpoch() { return static_cast<int64>(HighOf(FGuid::NewGuid()) | 1u); }

	/** Returns the configuration of a client's clock. Values without a setting are the library's defaults. */
	netclock::config ConfigOf(const UNetClockSettings& Settings);
	netclock::guest_config GuestConfigOf(const UNetClockSettings& Settings);
	netclock::host_config HostConfigOf(const UNetClockSettings& Settings);

	template <class T> TArray<uint8> BytesOf(const T& From, size_t Count)
	{
		return TArray<uint8>(reinterpret_cast<const uint8*>(From.data()), static_cast<int32>(Count));
	}

	/** Logs the reason that the library gives for not creating an object. */
	void LogNotCreated();

	/** Returns the object that one of the library's results contains. If the object could not be created,
	 * logs the reason, and returns null. */
	template <class TResult> auto Made(TResult Result)
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
