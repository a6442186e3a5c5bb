// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

struct FNetClockReport;

namespace NetClock
{
	/**
	 * Shows a world's frame in `stat NetClock`, in the category NetClock of the CSV profiler, and in the
	 * counters of Unreal Insights. There is one set per process. With several clients in the editor, the last
	 * one in a frame sets them. The counters of several servers are added.
	 */
	void ShowInStats(const FNetClockReport& Report);
}
