// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

class UCanvas;
struct FNetClockReport;
struct FNetClockVerdictLine;

/**
 * Draws the last 30 s of a client's clock on the screen. It also samples while it is hidden, so you can look
 * at what has just happened. Not in Shipping builds.
 */
class FNetClockGraph
{
public:
	/** True if the console variable NetClock.Graph is on. */
	static bool IsWanted();

	/** Takes the report of a frame. It keeps one for each fifth of a second. */
	void Add(const FNetClockReport& Report);

	/** Draws the graph, and the newest verdicts below it. */
	void Draw(UCanvas& Canvas, const TArray<FNetClockVerdictLine>& Verdicts) const;

private:
	struct FSample
	{
		int64 LocalTicks = 0;
		int64 ServerTicks = 0;
		int32 Epoch = 0;
		bool bIsSynced = false;
		double ErrorBoundMs = 0.0;
		double ExpectedErrorMs = 0.0;
		double RoundTripMs = 0.0;
		/** How far the shown time left the estimated rate since the sample before, in ms. */
		double CorrectionMs = 0.0;
		/** There was a discontinuity since the sample before. */
		bool bJumped = false;
	};

	const FSample& At(int32 Index) const { return Samples[(Oldest + Index) % Samples.Num()]; }
	void DrawCurve(UCanvas& Canvas, double FSample::* Value, const struct FLinearColor& Color) const;
	void DrawCorrections(UCanvas& Canvas) const;
	double X(int32 Index) const;

	TArray<FSample> Samples;
	int32 Oldest = 0;
};
