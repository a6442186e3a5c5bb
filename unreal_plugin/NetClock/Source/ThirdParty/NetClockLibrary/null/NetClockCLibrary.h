// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** The library's functions. Where there is no library, or one without its feature `link`, those that are
 * missing do nothing and return an error, so that what calls them compiles as it is. */

#ifndef WITH_NETCLOCK_LIBRARY
#error "The module NetClockLibrary defines WITH_NETCLOCK_LIBRARY. Its users depend on it in their Build.cs."
#endif

#if WITH_NETCLOCK_LIBRARY
#include "netclock/netclock.h"
#include "netclock/netclock_handover.h"
#include "netclock/netclock_latency.h"
#include "netclock/netclock_log.h"
#include "netclock/netclock_order.h"
#include "netclock/netclock_peer.h"
#include "netclock/netclock_saved.h"
#include "netclock/netclock_start.h"
#include "netclock/netclock_utc.h"
#include "netclock/netclock_watch.h"
#include "netclock/netclock_world.h"
#endif

#if WITH_NETCLOCK_LINK
#include "netclock/netclock_link.h"
#endif

#include "NetClockNullLibrary.h"

namespace NetClock
{
	/** One of the library's structures, which says its size and is zero otherwise. */
	template <class T> T Sized()
	{
		T Made{};
		Made.struct_size = sizeof(T);
		return Made;
	}
} // namespace NetClock
