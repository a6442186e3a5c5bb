// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/Guid.h"

class AGameStateBase;
class UWorld;

NETCLOCK_API DECLARE_LOG_CATEGORY_EXTERN(LogNetClock, Log, All);

/** NetClock measures time in ticks of 100 ns, like FTimespan. */
namespace NetClock
{
	/** Ticks per second. */
	constexpr int64 TicksPerSecond = 10000000;

	/** Represents an unknown value in milliseconds. It exceeds any limit that you might compare it with. */
	constexpr double UnknownMs = 1.0e12;

	constexpr double TicksToSeconds(int64 Ticks)
	{
		return static_cast<double>(Ticks) / static_cast<double>(TicksPerSecond);
	}
	constexpr double TicksToMs(int64 Ticks) { return static_cast<double>(Ticks) * 1.0e-4; }

	/** Formats a value in milliseconds with its unit, or as "unknown". */
	inline FString MsText(double Ms)
	{
		return Ms < UnknownMs ? FString::Printf(TEXT("%.3f ms"), Ms) : FString(TEXT("unknown"));
	}

	/** Rounds towards zero. The result must fit in 64 bits, so Seconds must not exceed about 29,000 years. */
	constexpr int64 SecondsToTicks(double Seconds)
	{
		return static_cast<int64>(Seconds * static_cast<double>(TicksPerSecond));
	}
	constexpr int64 MsToTicks(double Ms) { return static_cast<int64>(Ms * 1.0e4); }

	/** Return the upper and lower 64 bits of a random GUID. */
	inline uint64 HighOf(const FGuid& Drawn) { return (static_cast<uint64>(Drawn.A) << 32) | Drawn.B; }
	inline uint64 LowOf(const FGuid& Drawn) { return (static_cast<uint64>(Drawn.C) << 32) | Drawn.D; }

	/** Reads this machine's monotonic clock, in ticks of 100 ns. The library's clock is not slewed by time
	 * services and keeps running while the machine is suspended. Without the library, this function returns
	 * FPlatformTime::Seconds(), which guarantees neither. Can be called from any thread. */
	NETCLOCK_API int64 LocalTicks();

	/** Returns true if the NetClock library is loaded and has the version that this plugin was built for.
	 * Otherwise, the first call logs the reason. */
	NETCLOCK_API bool IsLibraryUsable();

	/** Logs a warning that a function was misused. Each pair of function and remedy is logged only once. Can
	 * be called from any thread. */
	NETCLOCK_API void ReportMisuse(const TCHAR* Function, const TCHAR* Remedy);

	/** Returns true if a world only plays back a replay. Returns false for kill cams in duplicated levels of
	 * a live world, because the live clock keeps running there. */
	NETCLOCK_API bool IsReplay(const UWorld& World);

	/** Returns true if a world belongs to a client in a live game. */
	NETCLOCK_API bool IsClient(const UWorld* World);

	/** Returns the game state of the live game, even while a replay plays alongside it. May be null. */
	NETCLOCK_API AGameStateBase* GetLiveGameState(const UWorld& World);
}
