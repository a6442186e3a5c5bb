// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

class UCanvas;
struct FNetClockReport;

/**
 * The last 30 s of a client's clock, to be drawn on the screen. It is filled whether or not it is shown, so that one can
 * look at what has just happened. Not in Shipping builds.
 */
class FNetClockGraph
{
public:
	/** True if somebody wants to see it: NetClock.Graph. */
	static bool IsWanted();

	/** Takes a frame's report; keeps one of each fifth of a second. */
	void Add(const FNetClockReport& Report);

	void Draw(UCanvas& Canvas) const;

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
		/** By how much the shown time left the estimated rate since the sample before, in ms. */
		double CorrectionMs = 0.0;
		/** The clock was set anew since the sample before. */
		bool bJumped = false;
	};

	const FSample& At(int32 Index) const { return Samples[(Oldest + Index) % Samples.Num()]; }
	void DrawCurve(UCanvas& Canvas, double FSample::* Value, const struct FLinearColor& Color) const;
	void DrawCorrections(UCanvas& Canvas) const;
	double X(int32 Index) const;

	TArray<FSample> Samples;
	int32 Oldest = 0;
};
