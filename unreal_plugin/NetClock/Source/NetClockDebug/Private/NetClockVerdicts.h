// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

struct FNetClockIncident;

/** How serious a verdict is, as in a page of `lab report`. */
enum class ENetClockWeight : uint8
{
	/** Nothing unusual. */
	Fine,
	/** Something happened. */
	Note,
	/** Something needs attention. */
	Warning
};

/** What happened to a client's clock, in the words and the colours of a page of `lab report`. */
struct FNetClockVerdictLine
{
	int64 LocalTicks = 0;
	ENetClockWeight Weight = ENetClockWeight::Fine;
	FString Words;

	/** A line with the age, the word for the weight, and the words. */
	FString ToText(int64 NowTicks) const;
};

/** The newest verdicts about one world's clock, the newest last. */
class FNetClockVerdicts
{
public:
	void Add(const FNetClockIncident& Incident, int64 LocalTicks);

	const TArray<FNetClockVerdictLine>& Get() const { return Lines; }

private:
	TArray<FNetClockVerdictLine> Lines;
};

namespace NetClock
{
	/** The colours of the pages, on dark ground, as 0xRRGGBB. */
	namespace Colors
	{
		constexpr uint32 Main = 0x7db4ff;
		constexpr uint32 Other = 0xf2a65a;
		constexpr uint32 Bound = 0x56d08c;
		constexpr uint32 Expected = 0xb7a3f5;
		constexpr uint32 Bad = 0xff8a80;
		constexpr uint32 Good = 0x67d597;
		constexpr uint32 Warn = 0xf0b94a;
	}

	uint32 ColorOf(ENetClockWeight Weight);
}
