// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

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
}
