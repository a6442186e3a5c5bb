// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

struct FNetClockIncident;

/** The severity of a verdict. `lab report` uses the same levels. */
enum class ENetClockWeight : uint8
{
	Fine,
	Note,
	Warning
};

/** An event of a client's clock, with the wording and colours of a `lab report` page. */
struct FNetClockVerdictLine
{
	int64 LocalTicks = 0;
	ENetClockWeight Weight = ENetClockWeight::Fine;
	FString Words;

	FString ToText(int64 NowTicks) const;
};

/** The latest verdicts about one world's clock, from oldest to newest. */
class FNetClockVerdicts
{
public:
	void Add(const FNetClockIncident& Incident, int64 Ticks);

	const TArray<FNetClockVerdictLine>& Get() const { return Lines; }

private:
	TArray<FNetClockVerdictLine> Lines;
};

namespace NetClock
{
	/** A colour with components from 0 to 255, which the engine's canvases convert. */
	struct FRgb
	{
		uint8 Red;
		uint8 Green;
		uint8 Blue;

		/** Converts 0xRRGGBB. */
		explicit constexpr FRgb(uint32 Code) :
			Red(static_cast<uint8>(Code >> 16 & 0xffu)), Green(static_cast<uint8>(Code >> 8 & 0xffu)),
			Blue(static_cast<uint8>(Code & 0xffu))
		{
		}
	};

	/** The colours of the `lab report` pages, for a dark background. */
	namespace Colors
	{
		constexpr FRgb Main(0x7db4ff);
		constexpr FRgb Other(0xf2a65a);
		constexpr FRgb Bound(0x56d08c);
		constexpr FRgb Expected(0xb7a3f5);
		constexpr FRgb Bad(0xff8a80);
		constexpr FRgb Good(0x67d597);
		constexpr FRgb Warn(0xf0b94a);
	}

	FRgb ColorOf(ENetClockWeight Weight);
}
