// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** The library's C++ interface. Without a library, or without its `link` feature, functions with the same
 * names return an error, so that their callers compile unchanged. */

#ifndef WITH_NETCLOCK_LIBRARY
#error "The module NetClockLibrary defines WITH_NETCLOCK_LIBRARY. Its users depend on it in their Build.cs."
#endif

#if WITH_NETCLOCK_LIBRARY
#include "netclock/netclock_handover.hpp"
#include "netclock/netclock_order.hpp"
#include "netclock/netclock_peer.hpp"
#include "netclock/netclock_saved.hpp"
#include "netclock/netclock_session.hpp"
#endif

#if WITH_NETCLOCK_LINK
#include "netclock/netclock_link.hpp"
#endif

#include "NetClockNullLibrary.h"

/** Conversions between the library's types and the engine's. Ticks are 100 ns. */
namespace NetClock
{
	inline netclock::local_time LocalTime(std::int64_t Ticks)
	{
		return netclock::local_time{netclock::ticks{Ticks}};
	}
	inline netclock::server_time ServerTime(std::int64_t Ticks)
	{
		return netclock::server_time{netclock::ticks{Ticks}};
	}
	template <class Clock> std::int64_t TicksOf(std::chrono::time_point<Clock, netclock::ticks> Time)
	{
		return Time.time_since_epoch().count();
	}
	inline double MsOf(netclock::ticks Span) { return static_cast<double>(Span.count()) * 1.0e-4; }
	inline double MsOf(const std::optional<netclock::ticks>& Span, double Unknown)
	{
		return Span ? MsOf(*Span) : Unknown;
	}
	inline netclock::ticks SpanOfMs(float Ms)
	{
		return netclock::ticks{static_cast<std::int64_t>(static_cast<double>(Ms) * 1.0e4)};
	}
	/** Rounds up. The result is empty if Ms is negative, NaN, or at least Unknown. */
	inline std::optional<netclock::ticks> SpanOf(double Ms, double Unknown)
	{
		return Ms >= 0.0 && Ms < Unknown
			? std::optional<netclock::ticks>{netclock::ticks{static_cast<std::int64_t>(Ms * 1.0e4) + 1}}
			: std::nullopt;
	}
	/** Converts a value of a library enumeration to the plugin's enumeration with the same numbers. Last and
	 * LibraryLast are the last enumerators of the two enumerations. A newer library may have further
	 * enumerators, which are converted to Other. */
	template <auto Last, auto LibraryLast>
	auto Same(decltype(LibraryLast) Value, decltype(LibraryLast) Other = decltype(LibraryLast){})
	{
		static_assert(static_cast<std::int32_t>(Last) == static_cast<std::int32_t>(LibraryLast));
		return static_cast<decltype(Last)>(Value <= LibraryLast ? Value : Other);
	}
} // namespace NetClock
