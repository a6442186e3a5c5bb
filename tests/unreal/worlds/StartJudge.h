// Records the start events of a machine and checks the guarantees of a start.
#pragma once

#include <deque>

#include "Scenarios.h"

namespace Scenarios
{
	inline UNetClockStart* StartOf(const FMachine& Machine) { return Machine.Get<UNetClockStart>(); }

	struct FBegun
	{
		FBegun(const FBegun&) = delete;
		explicit FBegun(const FMachine& InMachine) : Machine(InMachine)
		{
			UNetClockStart* Start = StartOf(Machine);
			Start->OnStart.AddLambda(
				[this](double InLatenessMs, double InBoundMs)
				{
					++Times;
					LatenessMs = InLatenessMs;
					BoundMs = InBoundMs;
					At = Machine.TickStart;
				});
			Start->OnStartScheduled.AddLambda(
				[this](double Seconds)
				{
					++Scheduled;
					CountdownSeconds = Seconds;
				});
			Start->OnStartCancelled.AddLambda([this]() { ++Cancelled; });
			Start->OnBeat.AddLambda([this](int64 Beat) { Beats.emplace_back(Beat, Machine.TickStart); });
		}

		const FMachine& Machine;
		int32 Times = 0, Scheduled = 0, Cancelled = 0;
		double LatenessMs = -1, BoundMs = -1, At = -1, CountdownSeconds = -1;
		std::vector<std::pair<int64, double>> Beats;
	};

	/** Returns a deque, because a deque never moves its elements. */
	inline std::deque<FBegun> FollowAll(const FSession& Session)
	{
		std::deque<FBegun> Begun;
		for (const auto& Peer : Session.Peers) { Begun.emplace_back(Peer->Machine); }
		return Begun;
	}

	/** Returns how long ago the instant passed (ms of true server time). */
	inline double AfterMs(const FSession& Session, double At, int64 Instant)
	{
		return Session.Server->Clock.At(At) * 1000 - static_cast<double>(Instant) * 1e-4;
	}

	inline double FrameMs(const FMachine& Machine)
	{
		return 1000 / Machine.Settings.Fps * (1 + 3000e-6) + *Machine.Settings.LateMs + 0.2;
	}

	inline void Promised(const FSession& Session, const FBegun& Begun, int64 Instant, int32 Times = 1)
	{
		const double TrueMs = AfterMs(Session, Begun.At, Instant);
		Expect(Begun.Times == Times, "each start happens once", Begun.Times);
		ExpectIn(TrueMs, -Begun.BoundMs - 2e-4, FrameMs(Begun.Machine) + Begun.BoundMs,
			"the start is on time to within a frame and the bound");
		ExpectIn(Begun.LatenessMs, 0, FrameMs(Begun.Machine), "in the first frame by its own clock");
		ExpectNear(TrueMs, Begun.LatenessMs, Begun.BoundMs + 2e-4, "the reported lateness is true");
		Expect(StartOf(Begun.Machine)->GetStartStatus().AtTicks == Instant, "the instant is the same");
	}

	inline void BeatsAgree(const FSession& Session, const FBegun& Begun, int64 Instant, double Rate)
	{
		int64 Wrong = 0, Off = 0, Next = 0;
		for (const auto& [Beat, At] : Begun.Beats)
		{
			Wrong += Beat != Next++ ? 1 : 0;
			const double TrueMs = AfterMs(Session, At, Instant) - static_cast<double>(Beat) * 1000 / Rate;
			Off += TrueMs < -Begun.BoundMs - 1 || TrueMs > FrameMs(Begun.Machine) + Begun.BoundMs + 1 ? 1 : 0;
		}
		Expect(Wrong == 0 && Next > 100, "no beat is skipped or repeated", Wrong, Next);
		ExpectNone(Off, "beats are not on time");
	}
}
