// Compares the results of all nodes for prediction, event order, rewinding and latency with the truth.
#include "Scenarios.h"

namespace Scenarios
{
	DUO(EventOrder, Once, Seed + 71)
	{
		const UWorld* Nowhere = nullptr;
		const UWorld *Here = Peer.Machine.World, *There = Session.Server->World;
		Expect(UNetClockOrder::GetPredictionLeadMs(Here) >= NetClock::UnknownMs &&
				UNetClockOrder::GetPredictionLeadMs(Nowhere) >= NetClock::UnknownMs,
			"no lead is known before the first reply");
		Session.Run(10);
		std::vector<FNetClockStamp> Stamps[2];
		Peer.Machine.OnActors = [&]() { Stamps[0].push_back(UNetClockOrder::GetEventStamp(Here)); };
		Session.Server->OnActors = [&]() { Stamps[1].push_back(UNetClockOrder::GetEventStamp(There)); };
		Session.Run(1);
		ENetClockOrder Order = ENetClockOrder::TooClose;
		double Probability = 0;
		bool bProven = false;
		const auto Compare = [&](const FNetClockStamp& First, const FNetClockStamp& Second,
								 double Confidence, bool bSameClock)
		{
			return UNetClockOrder::CompareEventTimes(
				First, Second, bSameClock, Confidence, Order, Probability, bProven);
		};
		FNetClockStamp Bad = Stamps[0][5];
		Expect(Compare(Bad, Stamps[1][40], 0.95, false) && bProven && Order == ENetClockOrder::Before,
			"stamps of two machines that are half a second apart are ordered");
		Expect(Compare(Bad, Stamps[0][6], 1, true) && bProven && Order == ENetClockOrder::Before,
			"stamps of one clock are ordered to the tick");
		Expect(!Compare(Bad, Stamps[0][6], 0.4, false), "a confidence below one half is rejected");
		Bad.ErrorBoundMs = std::nan("");
		Expect(!Compare(Bad, Stamps[0][6], 0.95, false) && Order == ENetClockOrder::TooClose && !bProven,
			"a stamp without a bound is rejected");

		// The path takes 25 ms, and two frames take 17 ms each.
		ExpectIn(UNetClockOrder::GetPredictionLeadMs(Here), 25, 85, "prediction lead in ms");
		ExpectIn(UNetClockOrder::SuggestInterpolationDelayMs(Here, 50), 75, 185, "interpolation delay in ms");
		Expect(UNetClockOrder::GetPredictionLeadMs(There) <= 0, "the server has no lead");
		ExpectNear(UNetClockOrder::SuggestInterpolationDelayMs(There, 50), 50, 1e-9,
			"the server's delay is one sending interval");
	}

	/** The sample and a recipe judge honest shots and cheats. */
	DUO(RewindTime, Once, Seed + 72, Link(30, 4, 0.02), NM_ListenServer, At(97.3))
	{
		FNetClockRewind Rewind;
		const auto Rewound = [&](const APlayerController* Player, int64 Claimed)
		{ return UNetClockOrder::GetRewindTime(Player, Claimed, 50, 40, 250, Rewind); };
		Session.RunUntil([&]() { return Peer.ServerController != nullptr; });
		Expect(!Rewound(Peer.ServerController, 0), "there is no rewind before the first exchange");
		Session.Run(15);
		const int64 Now = UNetClockBlueprintLibrary::GetLocalClockTicks(), Saw = Now - 400000;
		Expect(Rewound(Peer.ServerController, Saw) && Rewind.Limit == ENetClockRewindLimit::None,
			"a claim about 40 ms ago is possible");
		Expect(Rewind.TargetTicks == Saw - 500000, "the target is older by the interpolation delay");
		ExpectNear(Rewind.BackMs, 90, 1e-3, "rewind in ms");
		Expect(Rewound(Peer.ServerController, Now - 5000000) &&
				Rewind.Limit != ENetClockRewindLimit::None && Rewind.BackMs <= 250 + 1e-3,
			"a claim about half a second ago is limited", Rewind.BackMs);
		Expect(Rewound(Session.Host(), Now) && Rewind.TargetTicks == Now - 500000, "the host acts at once");
		Expect(!Rewound(nullptr, Now) && !Rewound(Peer.Controller, Now), "only players on their server");
		Expect(!Rewound(Peer.ServerController, INT64_MIN), "numbers out of range are rejected");
	}

	/** The delay grows in both directions. The plugin reports this change, and its suggested speed scale
	 * hides the change from players. */
	DUO(LatencyChange, Once, Seed + 80)
	{
		UNetClockLatency& Latency = *Peer.Machine.Get<UNetClockLatency>();
		double AddedMs[2] = {0, 0}, Least = 1, ShiftMs = 0;
		int32 Events = 0;
		Latency.OnLatencyChanged.AddLambda([&](ENetClockDirection Direction, double BeforeMs, double AfterMs)
		{
			++Events;
			AddedMs[Direction == ENetClockDirection::ToServer ? 0 : 1] += AfterMs - BeforeMs;
		});
		Peer.Machine.AlsoAtEnd([&]()
		{
			const double Scale = Latency.GetSuggestedSpeedScale();
			Least = FMath::Min(Least, Scale);
			ShiftMs += (Scale - 1) * (Peer.Machine.TickStart - Peer.Machine.PreviousTickStart) * 1000;
		});
		Session.Run(40);
		Expect(Events == 0 && Least >= 1, "an unchanged path causes no events", Events);
		Peer.Link.Up.LagMs += 60;
		Peer.Link.Down.LagMs += 60;
		Session.Run(60);
		// Packets wait up to 17 ms for the next frame, and their mean jitter is 4 ms.
		Expect(Events >= 2 && Events <= 3, "each direction causes an event", Events);
		ExpectNear(AddedMs[0], 60, 27, "added delay to the server, in ms");
		ExpectNear(AddedMs[1], 60, 27, "added delay to the client, in ms");
		ExpectNear(ShiftMs, -120, 22, "hidden, in ms");
		ExpectIn(Least, 0.9 - 1e-9, 0.99, "lowest speed scale");
		const UNetClockLatency& OfServer = *Session.Server->Get<UNetClockLatency>();
		Expect(FMath::Abs(OfServer.GetSuggestedSpeedScale() - 1) <= 0, "a server plays at normal speed");
		Promises(Peer);
	}
}
