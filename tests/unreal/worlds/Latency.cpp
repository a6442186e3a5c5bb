// Routes that change: told once for each direction, hidden by a speed, and nothing told of links that only
// jitter.
#include "Scenarios.h"

namespace Scenarios
{
	struct FRoute
	{
		struct FTold { ENetClockDirection Direction; double BeforeMs, AfterMs, At; };
		std::vector<FTold> Told;
		/** What an avatar has played more than the time that passed, by the scale of each frame; in ms. */
		double PlayedMs = 0, LastAt = -1, Least = 1, Most = 1, WorstStep = 0, Before = 1;
		int32 AtRest = 0, Frames = 0;
	};

	static void Watch(FPeer& Peer, FRoute& Route)
	{
		Peer.Machine.Get<UNetClockLatency>()->OnLatencyChanged.AddLambda(
			[&](ENetClockDirection Direction, double BeforeMs, double AfterMs)
			{ Route.Told.push_back({Direction, BeforeMs, AfterMs, FDouble::State.Now}); });
		Peer.Machine.AlsoAtEnd([&Peer, &Route]()
		{
			const double Scale = Peer.Machine.Get<UNetClockLatency>()->GetSuggestedSpeedScale();
			const double At = static_cast<double>(Peer.Clock()->GetFrameTicks()) * 1e-4;
			// A game multiplies a frame's time, which is that since the last, by what it reads in the frame.
			Route.PlayedMs += Route.LastAt < 0 ? 0 : (At - Route.LastAt) * (Scale - 1);
			Route.LastAt = At;
			Route.Least = FMath::Min(Route.Least, Scale);
			Route.Most = FMath::Max(Route.Most, Scale);
			Route.WorstStep = FMath::Max(Route.WorstStep, FMath::Abs(Scale - Route.Before));
			Route.Before = Scale;
			++Route.Frames;
			Route.AtRest += FMath::Abs(Scale - 1) <= 0 ? 1 : 0;
		});
	}

	SCENARIO(LatencyChange, Long)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 80);
		FPeer& Both = Session.Add(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Down = Session.Add(At(144, 25, 90000), Link(40, 8, 0.05, 0.02));
		Session.Add(At(60, -40, 7), Link(60, 15, 0.10, 0.02));
		Session.Add(At(30, 40, 70), Link(25, 6, 0.01, 0.01));
		FRoute Routes[4];
		for (size_t Index = 0; Index < 4; ++Index)
		{
			Session.Connect(*Session.Peers[Index]);
			Watch(*Session.Peers[Index], Routes[Index]);
		}
		Session.Run(60);
		for (const FRoute& Route : Routes)
		{
			Expect(Route.Told.empty() && Route.AtRest == Route.Frames,
				"nothing is told before there is a reason, and the speed is 1", Route.Told.size());
		}
		const double Changed = FDouble::State.Now;
		Both.Link.Up.LagMs += 60;
		Both.Link.Down.LagMs += 60;
		Down.Link.Down.LagMs += 60;
		Session.Run(60);
		const FRoute& Two = Routes[0];
		// What arrives waits for the next frame. Both sides have 60 of them a second, so that all messages of
		// some seconds wait alike: for nothing before the change and for a frame after it, or the other way
		// round. The jitter has a mean of 4 ms; the median of five exceeds its usual value by 10 ms once in a
		// thousand times.
		const double FrameMs = 1000.0 / 60;
		Expect(Two.Told.size() == 2, "each direction once", Two.Told.size());
		int32 Seen[2] = {0, 0};
		double FoundAfter = 0;
		for (const FRoute::FTold& Told : Two.Told)
		{
			++Seen[Told.Direction == ENetClockDirection::ToServer ? 0 : 1];
			Expect(FMath::Abs(Told.AfterMs - Told.BeforeMs - 60) < FrameMs + 10, "by 60 ms",
				Told.AfterMs - Told.BeforeMs);
			FoundAfter = FMath::Max(FoundAfter, Told.At - Changed);
		}
		Expect(Seen[0] == 1 && Seen[1] == 1, "up and down");
		ExpectIn(FoundAfter, 0.001, 5, "within seconds");
		ExpectNear(Two.PlayedMs, -120, 20, "what is hidden is what was added");
		const UNetClockLatency& Hidden = *Both.Machine.Get<UNetClockLatency>();
		Expect(FMath::Abs(Two.PlayedMs - Hidden.GetSuggestedSpeedShiftMs()) < 2, "exactly",
			Both.Machine.Get<UNetClockLatency>()->GetSuggestedSpeedShiftMs());
		Expect(Two.Least >= 0.9 - 1e-9 && Two.Least < 0.99 && Two.WorstStep < 0.02,
			"smoothly, by a tenth at most", Two.Least, Two.WorstStep);
		// What the first few exchanges told is settled by later ones, gently.
		Expect(Two.AtRest > Two.Frames * 4 / 5, "and is at rest again", Two.AtRest, Two.Frames);
		ExpectNear(Both.Machine.Get<UNetClockLatency>()->GetSuggestedSpeedScale(), 1, 0.02, "at a speed of");
		// One way alone, told after a second of jitter: roughly at first, and hidden to what it turns out to
		// be.
		double OneWayMs = 0;
		for (const FRoute::FTold& Told : Routes[1].Told) { OneWayMs += Told.AfterMs - Told.BeforeMs; }
		Expect(!Routes[1].Told.empty() && Routes[1].Told[0].Direction == ENetClockDirection::ToClient,
			"the way down");
		Expect(!Routes[1].Told.empty() && Routes[1].Told.size() <= 2 && FMath::Abs(OneWayMs - 60) < 30,
			"one way alone", OneWayMs);
		ExpectNear(Routes[1].PlayedMs, -60, 15, "hidden");
		Expect(Routes[2].Told.empty() && Routes[3].Told.empty(), "no change where delays only jitter");

		Both.Link.Up.LagMs -= 60;
		Both.Link.Down.LagMs -= 60;
		Session.Run(60);
		Expect(
			Two.Told.size() == 4 && Two.Most > 1.01 && Two.Most <= 1.1 + 1e-9, "and back", Two.Told.size());
		ExpectNear(Two.PlayedMs, 0, 20, "nothing is left of it");
		Expect(FMath::Abs(Session.Server->Get<UNetClockLatency>()->GetSuggestedSpeedScale() - 1) <= 0,
			"a server plays at 1");
		std::printf("    latency: 60 ms more each way are found within %.1f s, and hidden at %.3f of the "
					"speed and more\n",
			FoundAfter, Two.Least);
		for (const auto& Peer : Session.Peers) { Promises(*Peer); }
	}
}
