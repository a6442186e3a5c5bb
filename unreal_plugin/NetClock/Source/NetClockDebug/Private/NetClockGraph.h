// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Clock/NetClockTypes.h"

class UCanvas;
struct FNetClockReport;
struct FNetClockVerdictLine;

/**
 * Draws the last 30 s of a client's clock on the screen. It also samples while it is hidden, so that it can
 * show what happened before it was enabled. It does not exist in Shipping builds.
 */
class FNetClockGraph
{
public:
	static bool IsWanted();

	/** Adds the report about a frame. The graph keeps one report every 200 ms. */
	void Add(const FNetClockReport& Report);

	void Draw(UCanvas& Canvas, const TArray<FNetClockVerdictLine>& Verdicts) const;

private:
	struct FSample
	{
		int64 LocalTicks = 0;
		FNetClockStatus Status;
		/** The displayed time's deviation from the estimated rate since the previous sample, in ms. */
		double CorrectionMs = 0.0;
		bool bJumped = false;
	};

	const FSample& At(int32 Index) const { return Samples[(Oldest + Index) % Samples.Num()]; }
	void DrawCurve(UCanvas& Canvas, double FNetClockStatus::* Value, const struct FLinearColor& Color) const;
	void DrawCorrections(UCanvas& Canvas) const;
	double X(int32 Index) const;

	TArray<FSample> Samples;
	int32 Oldest = 0;
};
