// What a start promises, and what each machine was told of one.
#pragma once

#include "Scenarios.h"

namespace Scenarios
{
	/** What one machine was told, and the true time at which it was. */
	struct FBegun
	{
		int32 Times = 0, Scheduled = 0, Cancelled = 0;
		double LatenessMs = -1, BoundMs = -1, At = -1, CountdownSeconds = -1;
		std::vector<int64> Beats;
		std::vector<double> BeatsAt;
	};

	inline UNetClockStart* StartOf(const FMachine& Machine) { return Machine.Get<UNetClockStart>(); }

	inline void Follow(FBegun& Begun, const FMachine& Machine)
	{
		UNetClockStart* Start = StartOf(Machine);
		Start->OnStart.AddLambda([&Begun, &Machine](double LatenessMs, double BoundMs)
		{
			++Begun.Times;
			Begun.LatenessMs = LatenessMs;
			Begun.BoundMs = BoundMs;
			Begun.At = Machine.TickStart;
		});
		Start->OnStartScheduled.AddLambda(
			[&Begun](double Seconds)
			{
				++Begun.Scheduled;
				Begun.CountdownSeconds = Seconds;
			});
		Start->OnStartCancelled.AddLambda([&Begun]() { ++Begun.Cancelled; });
		Start->OnBeat.AddLambda(
			[&Begun, &Machine](int64 Beat)
			{
				Begun.Beats.push_back(Beat);
				Begun.BeatsAt.push_back(Machine.TickStart);
			});
	}

	/** True server time of a true time, in ms after an instant. */
	inline double AfterMs(const FSession& Session, double At, int64 Instant)
	{
		return Session.Server->Clock.At(At) * 1000 - static_cast<double>(Instant) * 1e-4;
	}

	/** Longest frame of a machine, in ms. */
	inline double FrameMs(const FMachine& Machine)
	{
		return 1000 / Machine.Settings.Fps * (1 + Machine.Settings.FrameJitter) + 0.2;
	}

	/** What a start promises, on one machine: once, within a frame and its bound of the instant, and its
	 * lateness is the truth. */
	inline void Promised(const FSession& Session, const FMachine& Machine, const FBegun& Begun, int64 Instant)
	{
		const double TrueMs = AfterMs(Session, Begun.At, Instant);
		Expect(Begun.Times == 1, "it begins once, not " + std::to_string(Begun.Times) + " times");
		Expect(TrueMs >= -Begun.BoundMs - 2e-4 && TrueMs <= FrameMs(Machine) + Begun.BoundMs,
			"at its time, give or take a frame and the bound", TrueMs, Begun.BoundMs);
		Expect(Begun.LatenessMs >= 0 && Begun.LatenessMs <= FrameMs(Machine),
			"in the first frame of its own clock", Begun.LatenessMs);
		Expect(FMath::Abs(TrueMs - Begun.LatenessMs) <= Begun.BoundMs + 2e-4, "late by what it says", TrueMs,
			Begun.LatenessMs);
		Expect(StartOf(Machine)->GetStartStatus().AtTicks == Instant, "all mean the same instant");
	}

	/** The numbers follow each other from zero on, and each comes on all machines at the same time. */
	inline void BeatsAgree(
		const FSession& Session, const FMachine& Machine, const FBegun& Begun, int64 Instant, double Rate)
	{
		int32 Wrong = 0, Off = 0;
		for (size_t Index = 0; Index < Begun.Beats.size(); ++Index)
		{
			Wrong += Begun.Beats[Index] != static_cast<int64>(Index) ? 1 : 0;
			const double TrueMs = AfterMs(Session, Begun.BeatsAt[Index], Instant) -
				static_cast<double>(Begun.Beats[Index]) * 1000 / Rate;
			Off += TrueMs < -Begun.BoundMs - 1 || TrueMs > FrameMs(Machine) + Begun.BoundMs + 1 ? 1 : 0;
		}
		Expect(Wrong == 0 && Begun.Beats.size() > 100,
			std::to_string(Wrong) + " of " + std::to_string(Begun.Beats.size()) +
				" beats are skipped or repeated");
		ExpectNone(Off, "beats are not there when they should be");
	}
}
