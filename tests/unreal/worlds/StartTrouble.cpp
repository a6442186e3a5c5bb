// Scheduled starts in trouble: players who are not ready, cheats, and travel.
#include <cstring>

#include "NetClock/Clock/NetClockSession.h"
#include "StartJudge.h"

namespace Scenarios
{
	/** A player who is not ready is reported with the reason. The start waits for this player until the
	 * patience ends. */
	SCENARIO(StartHeldUp, Once)
	{
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 65);
		FPeer& Good = Session.Join(At(60, 35, 70), Link(25, 4, 0.01, 0.02));
		FPeer& Mute = Session.Join(At(60, -35, 900), Link(25, 4, 0.01, 0.02));
		FBegun GoodBegun(Good.Machine), MuteBegun(Mute.Machine), Server(*Session.Server);
		Session.Run(3);
		// As if the machine were loading or hanging.
		Mute.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		Session.Run(2);
		UNetClockStart* Start = StartOf(*Session.Server);
		Expect(Start->ScheduleStart(), "a start is requested");
		Session.Run(3);
		FNetClockStartStatus Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::HeldUp && Status.NotReady == 1 && Server.Scheduled == 0,
			"it is held up");
		Expect(Status.HoldUp == ENetClockHoldUp::Silent, "by a player who is silent");
		Expect(Start->GetStartStatus().HeldUpBy == Mute.ServerController, "it is named");
		Expect(Start->CancelStart() && !Start->IsStartScheduled() && !Start->CancelStart(),
			"what is held up can be cancelled");
		Session.Run(2);
		Expect(GoodBegun.Scheduled == 0 && Start->GetStartStatus().Stage == ENetClockStartStage::Cancelled,
			"and no client got an event");
		Expect(Start->ScheduleStart(), "a start is requested again");
		Session.Run(8);
		Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::Started && Status.NotReady == 1,
			"patience ends: it begins without");
		Promised(Session, GoodBegun, Status.AtTicks);
		Expect(Start->GetStartResult().Expected == 1, "who was not ready does not count");
		Mute.Passes = nullptr;
		Session.Run(5);
		Expect(MuteBegun.Times == 1, "the silent client gets the event later", MuteBegun.Times);

		// Everyone is ready in the end, so nobody is left behind.
		FPeer& Loading = Session.Join(At(60, 5, 40), Link(25, 4, 0.01, 0.02));
		FBegun LoadingBegun(Loading.Machine);
		// The start waits for this player from its first datagram on.
		UNetClockSession* Served = Session.Server->Get<UNetClockSession>();
		while (!Loading.ServerComponent() || Served->NumberOf(*Loading.ServerComponent()) < 0)
		{
			Session.Run(0.005);
		}
		Expect(Start->ScheduleStart(), "while one joins");
		Session.Run(0.05);
		Expect(Start->GetStartStatus().Stage == ENetClockStartStage::HeldUp, "it waits for it");
		Session.Run(6);
		Expect(Start->GetStartResult().Started == 3 && Start->GetStartStatus().NotReady == 0,
			"until all are ready");
		// The previous round was over when this player joined. It may still be informed of that round, and it
		// begins the new one in time.
		Expect(LoadingBegun.LatenessMs < FrameMs(Loading.Machine), "in time", LoadingBegun.LatenessMs);

		// The start does not wait for a player who has left.
		Session.Disconnect(Loading);
		Session.Run(3);
		Expect(Start->ScheduleStart(), "after one has left");
		Session.Run(2);
		Expect(Start->GetStartResult().Expected == 2 && Start->HasStarted(), "the others begin");
	}

	/** A world's start ends with the world, and the next world has its own. */
	SCENARIO(StartTravel, Once)
	{
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 67);
		for (const double Lag : {20.0, 90.0})
		{
			Session.Join(At(60, -15, 300), Link(Lag, 6, 0.05, 0.02));
		}
		Session.Run(6);
		std::deque<FBegun> Old = FollowAll(Session);
		FBegun OldServer(*Session.Server);
		Expect(StartOf(*Session.Server)->ScheduleStart(1500), "a start is requested");
		// Lost announcements are repeated well before the start.
		for (int32 Step = 0; Step < 60 && Old[0].Scheduled + Old[1].Scheduled < 2; ++Step)
		{
			Session.Run(0.05);
		}
		Expect(Old[0].Scheduled == 1 && Old[1].Scheduled == 1, "announced");
		// One client loads the next world for a while, and is not there yet.
		Session.Peers[1]->LoadSeconds = 3;
		Session.SeamlessTravel();
		FBegun Server(*Session.Server);
		const double Travelled = FDouble::State.Now;
		// Scheduled at once, while the clients are still in the old world.
		Expect(StartOf(*Session.Server)->ScheduleStart(300), "the next world's own");
		std::deque<FBegun> New;
		for (int32 Step = 0; Step < 2000; ++Step)
		{
			Session.Run(0.005);
			const size_t Next = New.size();
			if (Next < 2 && Session.Peers[Next]->bTravelled)
			{
				New.emplace_back(Session.Peers[Next]->Machine);
			}
		}
		const int64 Instant = StartOf(*Session.Server)->GetStartStatus().AtTicks;
		Expect(OldServer.Times == 0 && Old[0].Times == 0 && Old[1].Times == 0,
			"what the old world had announced does not begin");
		for (const FBegun* Each : {&Server, &New[0], &New[1]}) { Promised(Session, *Each, Instant); }
		Expect(StartOf(*Session.Server)->GetStartResult().Started == 2, "all begin in the new one");
		Expect(Old[1].Scheduled == 1 && New[1].Scheduled == 1 && AfterMs(Session, Travelled, Instant) < -3000,
			"a loading client holds up the start, and gets the event in its new world");
		Session.Peers[1]->LoadSeconds = 0;

		// Travels to a world that prepares nothing. Nothing of the last world's start is announced there.
		Session.SeamlessTravel();
		Session.Run(0.5);
		std::deque<FBegun> Last = FollowAll(Session);
		Session.Run(8);
		Expect(Last[0].Times == 0 && Last[1].Times == 0 && New[0].Times == 1 && New[1].Times == 1,
			"no start without a schedule");

		// A new connection to the same world of the same server. The client learns that the start has
		// happened, like anybody who joins late.
		Expect(StartOf(*Session.Server)->ScheduleStart(), "once more");
		Session.Run(3);
		FPeer& Back = *Session.Peers[0];
		Expect(Last[0].Times == 1, "begun");
		Session.Disconnect(Back);
		Session.Run(2);
		Session.Connect(Back);
		FBegun Again(Back.Machine);
		Session.Run(5);
		Expect(Again.Times == 1 && Again.LatenessMs > 1500, "who returns gets its age, in ms",
			Again.LatenessMs);
	}
}
