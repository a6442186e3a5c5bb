// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

namespace NetClock
{
	/**
	 * Reads this machine's monotonic real clock, in ticks of 100 ns. It is never a world's time: a world's
	 * time stands still within a frame, pauses, is dilated, and starts again with each world. It is the
	 * library's clock, which no time service slews and which counts suspension. Without the library it is
	 * FPlatformTime::Seconds(), which promises neither.
	 */
	NETCLOCK_API int64 LocalTicks();

	/** True if the NetClock library was loaded and has the version that this plugin was built for. If not,
	 * the first call logs why. */
	NETCLOCK_API bool IsLibraryUsable();
}
