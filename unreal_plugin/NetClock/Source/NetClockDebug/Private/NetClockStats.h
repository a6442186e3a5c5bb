// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

struct FNetClockReport;

namespace NetClock
{
	/**
	 * Reports a world's frame to `stat NetClock`, to the NetClock category of the CSV profiler, and to the
	 * counters of Unreal Insights. There is one set of counters per process. If the
	 * editor runs several clients, the counters show the client that was updated last in each frame. The
	 * counters of several servers are added up.
	 */
	void ShowInStats(const FNetClockReport& Report);
}
