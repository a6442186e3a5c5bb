// The nodes for prediction, event order and rewinding. Each is judged by the true time.
#include "Scenarios.h"

namespace Scenarios
{
	struct FStamped
	{
		FNetClockStamp Stamp;
		double At;
	};

	/** Stamps an event in each frame. */
	static std::function<void()> StampFrames(const FMachine& Machine, std::vector<FStamped>& Events)
	{
		return [&Machine, &Events]()
		{ Events.push_back({UNetClockOrder::GetEventStamp(Machine.World), Machine.TickStart}); };
	}

	SCENARIO(EventOrder, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 71);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		const UWorld* Nowhere = nullptr;
		Expect(UNetClockOrder::GetPredictionLeadMs(Peer.Machine.World) >= NetClock::UnknownMs &&
				UNetClockOrder::GetPredictionLeadMs(Nowhere) >= NetClock::UnknownMs,
			"no lead is known before the first reply");
		Session.Run(10);
		std::vector<FStamped> Here, There;
		Peer.Machine.OnActors = StampFrames(Peer.Machine, Here);
		Session.Server->OnActors = StampFrames(*Session.Server, There);
		Session.Run(10);
		ENetClockOrder Order = ENetClockOrder::TooClose;
		double Probability = 0;
		bool bProven = false;
		const auto Compare = [&](const FNetClockStamp& First, const FNetClockStamp& Second, double Confidence,
								 bool bSameClock = false)
		{
			return UNetClockOrder::CompareEventTimes(
				First, Second, bSameClock, Confidence, Order, Probability, bProven);
		};
		int32 Proven = 0, Wrong = 0;
		FDice Dice{Seed};
		for (int32 Try = 0; Try < 1000; ++Try)
		{
			const FStamped& First = Here[static_cast<size_t>(Dice.Next() % Here.size())];
			const FStamped& Second = There[static_cast<size_t>(Dice.Next() % There.size())];
			Expect(Compare(First.Stamp, Second.Stamp, 0.95), "valid stamps are compared");
			Proven += bProven ? 1 : 0;
			Wrong += bProven && (Order == ENetClockOrder::Before) != (First.At < Second.At) ? 1 : 0;
		}
		ExpectNone(Wrong, "proven orders are wrong");
		Expect(Proven > 800, "most orders are proven", Proven);
		const FNetClockStamp& Good = Here[6].Stamp;
		FNetClockStamp Bad = Here[5].Stamp;
		Expect(Compare(Bad, Good, 1, true) && bProven && Order == ENetClockOrder::Before,
			"one clock orders its own events to the tick");
		Expect(!Compare(Bad, Good, 0.4), "a confidence below one half is rejected");
		Bad.ErrorBoundMs = std::nan("");
		Expect(!Compare(Bad, Good, 0.95) && Order == ENetClockOrder::TooClose && !bProven,
			"a stamp without a bound is rejected");

		// The path takes 25 ms, and two frames take 17 ms each.
		ExpectIn(UNetClockOrder::GetPredictionLeadMs(Peer.Machine.World), 25, 85, "the lead in ms");
		ExpectIn(UNetClockOrder::SuggestInterpolationDelayMs(Peer.Machine.World, 50), 75, 185,
			"the interpolation delay in ms");
		Expect(UNetClockOrder::GetPredictionLeadMs(Session.Server->World) <= 0, "no lead on the server");
		ExpectNear(UNetClockOrder::SuggestInterpolationDelayMs(Session.Server->World, 50), 50, 1e-9,
			"one interval of sending on the server");
	}

	SCENARIO(RewindTime, Once)
	{
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 72);
		FPeer& Shooter = Session.Join(At(97.3, -15, 300), Link(30, 4, 0.02, 0.01));
		constexpr double InterpolationMs = 50, JitterMs = 40, MaxRewindMs = 250;
		FNetClockRewind Rewind;
		const auto Rewound = [&](const APlayerController* Player, int64 Claimed)
		{
			return UNetClockOrder::GetRewindTime(
				Player, Claimed, InterpolationMs, JitterMs, MaxRewindMs, Rewind);
		};
		while (!Shooter.ServerController) { Session.Run(0.01); }
		Expect(!Rewound(Shooter.ServerController, 0), "no rewind before the first exchange");
		Session.Run(15);
		int32 Shots = 0, Moved = 0, Wrong = 0, Outside = 0, Lies = 0;
		Shooter.Machine.AlsoAtEnd([&]()
		{
			const int64 Saw = Shooter.Clock()->GetServerTimeTicks();
			const double TrueTicks = Session.Server->Clock.At(Shooter.Machine.TickStart) * 1e7;
			FDoubleRpc Shot;
			Shot.Name = "the game's own";
			Shot.Run = [&, Saw, TrueTicks](UObject*)
			{
				++Shots;
				const bool bKnown = Rewound(Shooter.ServerController, Saw);
				const bool bMoved = Rewind.Limit != ENetClockRewindLimit::None;
				const bool bSaw = Rewind.TargetTicks == Saw - static_cast<int64>(InterpolationMs * 1e4);
				Moved += bMoved ? 1 : 0;
				Wrong += bKnown && (bMoved || bSaw) ? 0 : 1;
				const double OffMs =
					FMath::Abs(static_cast<double>(Rewind.Acted.ServerTicks) - TrueTicks) * 1e-4;
				Outside += OffMs > Rewind.Acted.ErrorBoundMs ? 1 : 0;
				Rewound(Shooter.ServerController, Saw - 5000000);
				const bool bInReach = Rewind.BackMs >= 0 && Rewind.BackMs <= MaxRewindMs + 1e-3;
				Lies += bInReach && Rewind.Limit != ENetClockRewindLimit::None ? 0 : 1;
				return true;
			};
			Shooter.Machine.Driver->Send(nullptr, Shooter.Component(), Shot);
		});
		Session.Run(10);
		Expect(Shots > 700 && Wrong == 0, "each honest shot rewinds to what the shooter saw", Shots, Wrong);
		Expect(Moved <= Shots / 50 && Outside <= Shots / 50, "honest shots are not limited", Moved, Outside);
		ExpectNone(Lies, "claims of half a second ago were not limited");
		const int64 Now = UNetClockBlueprintLibrary::GetLocalClockTicks();
		Expect(UNetClockOrder::GetRewindTime(Session.Host(), Now, 0, 0, MaxRewindMs, Rewind) &&
				Rewind.TargetTicks == Now,
			"the host acts now");
		Expect(!Rewound(nullptr, Now) && !Rewound(Shooter.Controller, Now), "only players on their server");
		Expect(!UNetClockOrder::GetRewindTime(
				   Shooter.ServerController, Now, std::nan(""), 0, MaxRewindMs, Rewind) &&
				!Rewound(Shooter.ServerController, INT64_MIN),
			"numbers out of range are rejected");
	}
}
