// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockUnits.h"
#include "CoreMinimal.h"
#include "Misc/Guid.h"

/** The library's spans and seeds, as the plugin has them. */
namespace NetClock
{
	/** The library's word for a span that nothing bounds: NETCLOCK_UNBOUNDED, which NetClockBackend.cpp
	 * checks. */
	constexpr int64 Unbounded = INT64_MAX;

	/** UnknownMs for an unbounded span. */
	constexpr double SpanToMs(int64 Span) { return Span == Unbounded ? UnknownMs : TicksToMs(Span); }

	/** Rounds a bound up. What is negative, unknown, or no number is unbounded. */
	inline int64 BoundToTicks(double Ms)
	{
		return Ms >= 0.0 && Ms < UnknownMs ? static_cast<int64>(FMath::FloorToDouble(Ms * 1.0e4)) + 1
										   : Unbounded;
	}

	/** The two halves of a seed. */
	inline uint64 HighOf(const FGuid& Seed) { return (static_cast<uint64>(Seed.A) << 32) | Seed.B; }
	inline uint64 LowOf(const FGuid& Seed) { return (static_cast<uint64>(Seed.C) << 32) | Seed.D; }
}
