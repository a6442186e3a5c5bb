// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/EngineVersionComparison.h"
#include "Misc/Guid.h"

NETCLOCK_API DECLARE_LOG_CATEGORY_EXTERN(LogNetClock, Log, All);

/** Differences between engine versions. There are no others. */

// AGameStateBase::GetServerWorldTimeSeconds() returned float up to 5.0.
#if UE_VERSION_OLDER_THAN(5, 1, 0)
using FNetClockWorldSeconds = float;
#else
using FNetClockWorldSeconds = double;
#endif

/** Units: NetClock counts time in ticks of 100 ns, as FTimespan does. */
namespace NetClock
{
	/** Ticks in a second. */
	constexpr int64 TicksPerSecond = 10000000;

	/** Stands for an unknown number of milliseconds. It is larger than any number that it is compared
	 * with. */
	constexpr double UnknownMs = 1.0e12;

	constexpr double TicksToSeconds(int64 Ticks)
	{
		return static_cast<double>(Ticks) / static_cast<double>(TicksPerSecond);
	}
	constexpr double TicksToMs(int64 Ticks) { return static_cast<double>(Ticks) * 1.0e-4; }

	/** For people: a number of milliseconds and its unit, or "unknown". */
	inline FString MsText(double Ms)
	{
		return Ms < UnknownMs ? FString::Printf(TEXT("%.3f ms"), Ms) : FString(TEXT("unknown"));
	}

	/** Rounds towards zero. The result must fit into 64 bits: about 29,000 years. */
	constexpr int64 SecondsToTicks(double Seconds)
	{
		return static_cast<int64>(Seconds * static_cast<double>(TicksPerSecond));
	}
	constexpr int64 MsToTicks(double Ms) { return static_cast<int64>(Ms * 1.0e4); }

	/** The two halves of a random number. */
	inline uint64 HighOf(const FGuid& Drawn) { return (static_cast<uint64>(Drawn.A) << 32) | Drawn.B; }
	inline uint64 LowOf(const FGuid& Drawn) { return (static_cast<uint64>(Drawn.C) << 32) | Drawn.D; }

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
