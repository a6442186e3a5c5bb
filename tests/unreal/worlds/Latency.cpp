// A path whose delay changes, the event that reports it, and the speed that hides it.
#include "Scenarios.h"

namespace Scenarios
{
	SCENARIO(LatencyChange, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 80);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		UNetClockLatency& Latency = *Peer.Machine.Get<UNetClockLatency>();
		double AddedMs[2] = {0, 0};
		int32 Events = 0;
		Latency.OnLatencyChanged.AddLambda([&](ENetClockDirection Direction, double BeforeMs, double AfterMs)
		{
			++Events;
			AddedMs[Direction == ENetClockDirection::ToServer ? 0 : 1] += AfterMs - BeforeMs;
		});
		// A game multiplies each frame's time by the scale.
		double PlayedMs = 0, LastMs = -1, Least = 1, Most = 1;
		Peer.Machine.AlsoAtEnd([&]()
		{
			const double Scale = Latency.GetSuggestedSpeedScale();
			const double Ms = static_cast<double>(Peer.Clock()->GetFrameTicks()) * 1e-4;
			PlayedMs += LastMs < 0 ? 0 : (Ms - LastMs) * (Scale - 1);
			LastMs = Ms;
			Least = FMath::Min(Least, Scale);
			Most = FMath::Max(Most, Scale);
		});
		Session.Run(40);
		Expect(Events == 0 && Least >= 1 && Most <= 1, "nothing happens while the path is the same", Events);
		Peer.Link.Up.LagMs += 60;
		Peer.Link.Down.LagMs += 60;
		Session.Run(60);
		// Arriving packets wait for the next frame, which takes 17 ms. The mean of the jitter is 4 ms.
		Expect(Events >= 2 && Events <= 3, "an event for each direction", Events);
		ExpectNear(AddedMs[0], 60, 27, "added to the server, in ms");
		ExpectNear(AddedMs[1], 60, 27, "added to the client, in ms");
		ExpectNear(PlayedMs, -120, 20, "hidden, in ms");
		ExpectNear(PlayedMs, Latency.GetSuggestedSpeedShiftMs(), 2, "the shift that the scale adds up to");
		Expect(Least >= 0.9 - 1e-9 && Least < 0.99, "slower by a tenth at most", Least);
		Expect(FMath::Abs(Session.Server->Get<UNetClockLatency>()->GetSuggestedSpeedScale() - 1) <= 0,
			"a server plays at its own speed");
		Promises(Peer);
	}
}
