// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

struct FNetClockReport;

namespace NetClock
{
	/**
	 * Shows a world's frame in `stat NetClock`, in the category NetClock of the CSV profiler, and in the
	 * counters of Unreal Insights. There is one set of counters per process. With several clients in the
	 * editor, it shows the last client in each frame. The counters of several servers are added.
	 */
	void ShowInStats(const FNetClockReport& Report);
}
