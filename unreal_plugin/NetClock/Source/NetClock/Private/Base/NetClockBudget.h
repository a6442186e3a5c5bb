// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockUnits.h"
#include "CoreMinimal.h"

/** Limits the messages of one player: a number in a row, and a rate in the long run. */
struct FNetClockBudget
{
	/** Counts a message that arrived at Now, in ticks. False if the budget is spent. */
	bool Spend(int64 Now, double InARow, double PerSecond)
	{
		Left = At == 0
			? InARow
			: FMath::Min(InARow, Left + FMath::Max(0.0, NetClock::TicksToSeconds(Now - At)) * PerSecond);
		At = Now;
		if (Left < 1.0)
		{
			return false;
		}
		Left -= 1.0;
		return true;
	}

private:
	double Left = 0.0;
	int64 At = 0;
};
