// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

struct FNetClockReport;

namespace NetClock
{
	/**
	 * Shows a world's frame in `stat NetClock`, in the category NetClock of the CSV profiler and in the counters of
	 * Unreal Insights. They are of the process: of several clients in the editor, the last one in a frame is shown; what
	 * servers answer adds up.
	 */
	void ShowInStats(const FNetClockReport& Report);
}
