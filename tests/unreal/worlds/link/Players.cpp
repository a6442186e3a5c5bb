// Players with a link: on a listen server, and two players on one machine.
#include "Project.h"

namespace Scenarios
{
	/** With 25 ms and 1 % loss, half of the frames are within this. A single p99 is a matter of chance, see
	 * the table. */
	static void IsAccurate(const FPeer& Peer)
	{
		const double P50 = Peer.Judged.NetClock.Quantile(0.5);
		// Engine 5.0 has the world's time as a float, with steps of 0.49 ms.
		Expect(P50 <= (sizeof(double) == 4 ? 0.89 : 0.4), "p50 is (ms)", P50);
	}

	/** The host plays, too, and has no link to itself. */
	SCENARIO(LinkListen, Always)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 38);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(31.3, 15, 70), Link(25, 4, 0.01, 0.01));
		Peer.SettleSeconds = Other.SettleSeconds = 30;
		Session.Run(90);
		Expect(LinkOf(*Session.Server).State == ENetClockLinkState::Serving && LinkClients() == 2,
			"a link for each player but the host");
		for (const FPeer* Each : {&Peer, &Other})
		{
			Expect(IsLinked(*Each), "linked");
			Promises(*Each);
			IsAccurate(*Each);
		}
	}

	/** Two players with one connection and one clock. The first player's component asks, and one link serves
	 * both. */
	SCENARIO(LinkSplitScreen, Always)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 39);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Peer.SettleSeconds = 30;
		Session.Run(2);
		Session.JoinSecond(Peer);
		Session.Run(1);
		const UNetClockComponent* First = Peer.Component();
		const UNetClockComponent* Second =
			Peer.Second ? Peer.Second->FindComponentByClass<UNetClockComponent>() : nullptr;
		Expect(First && Second && First != Second, "each has a component");
		if (!First || !Second) { return; }
		int32 OfFirst = 0, OfSecond = 0;
		Peer.Passes = [&](const UObject* Object, const FDoubleRpc&)
		{
			OfFirst += Object == First ? 1 : 0;
			OfSecond += Object == Second ? 1 : 0;
			return true;
		};
		Session.Run(57);
		Expect(IsLinked(Peer) && LinkClients() == 1, "one link for both");
		Expect(OfFirst > 0 && OfSecond == 0, "only the first player's component asks");
		Promises(Peer);
		IsAccurate(Peer);
		// The first player's key ends with the player, and the second player's key takes over.
		Session.LeaveFirst(Peer);
		Session.Run(1);
		const int32 Served = LinkOf(*Session.Server).Requests;
		Session.Run(15);
		Expect(IsLinked(Peer) && LinkClients() == 1, "linked by the second player's key");
		Expect(LinkOf(*Session.Server).Requests > Served, "and answered by it");
		Expect(OfSecond > 0, "the second player's component asks now");
		Promises(Peer);
	}
}
