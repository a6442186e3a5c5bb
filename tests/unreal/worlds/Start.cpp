// A start must happen exactly once, at the same instant on all machines. Beats count from this instant.
#include "StartJudge.h"

namespace Scenarios
{
	/** The host also plays, and the other two players have lossy connections. */
	DUO(StartListen, Once, Seed + 61, Link(20, 4, 0.10, 0.02), NM_ListenServer, At(144, 30, 100),
		At(60, -8, 900))
	{
		FPeer& Slow = Session.Join(At(31.3, -20, 70000), Link(120, 15, 0.10, 0.02));
		std::deque<FBegun> Begun = FollowAll(Session);
		FBegun Host(*Session.Server);
		const FBegun* const All[] = {&Host, &Begun[0], &Begun[1]};
		UNetClockStart &Start = *StartOf(*Session.Server), &OfSlow = *StartOf(Slow.Machine);
		Expect(!OfSlow.ScheduleStart(), "a client cannot schedule a start");
		Expect(!Start.ScheduleStart(-1) && !Start.ScheduleStart(std::nan("")), "rejects invalid delays");
		Expect(!Start.ScheduleStart(0, 0.5) && !Start.ScheduleStart(0, 1), "rejects invalid confidences");
		Expect(!Start.SetBeatRate(241) && !Start.SetBeatRate(-1), "rejects invalid beat rates");
		Expect(Followed() == 3, "only the clocks follow frames before the preparation");
		Start.SetBeatRate(60);
		OfSlow.SetBeatRate(240);
		StartOf(Peer.Machine)->SetBeatRate(30);
		Start.PrepareStart();
		Session.Run(12);
		for (const auto& Each : Session.Peers)
		{
			const FNetClockPlayerStart Known = Start.GetPlayerStart(Each->ServerController);
			Expect(Known.bIsReady, "players are ready after the preparation");
			Expect(Known.ErrorBoundMs < 300 && Known.ExpectedErrorMs < 5, "its errors", Known.ErrorBoundMs);
			Expect(Known.NoticeMs < 3000, "notice in ms", Known.NoticeMs);
		}
		Expect(Start.ScheduleStart(3000, 0.9999), "the start is scheduled");
		Session.Run(2.5);
		const int64 First = Start.GetStartStatus().AtTicks;
		ExpectIn(Host.CountdownSeconds, 3, 5, "the countdown is 3 s plus the time of the announcement");
		Expect(!Start.ScheduleStart(), "a second start is rejected");
		for (const FBegun* Each : All) { Expect(Each->Scheduled == 1, "each reports the schedule"); }
		double Since = 0;
		Expect(OfSlow.IsStartScheduled() && OfSlow.GetTimeSinceStart(Since), "the countdown is known");
		ExpectNear(Since * 1000, AfterMs(Session, Slow.Machine.TickStart, First), 250, "ms since the start");
		Expect(Start.CancelStart() && !Start.CancelStart(), "a start can be cancelled once");
		Session.Run(3);
		for (const FBegun* Each : All)
		{
			Expect(Each->Cancelled == 1 && Each->Times == 0, "each machine reports the cancellation");
		}
		Expect(Start.ScheduleStart(1000), "and again");
		Session.Run(20);
		const int64 Instant = Start.GetStartStatus().AtTicks;
		Expect(Instant > First, "the second start has a later instant");
		double Earliest = Host.At, Latest = Host.At, BoundMs = 0, LongestMs = 0;
		for (const FBegun* Each : All)
		{
			Promised(Session, *Each, Instant);
			BeatsAgree(Session, *Each, Instant, Each == &Host ? 60 : Each == &Begun[1] ? 240 : 30);
			Earliest = FMath::Min(Earliest, Each->At);
			Latest = FMath::Max(Latest, Each->At);
			BoundMs = FMath::Max(BoundMs, Each->BoundMs);
			LongestMs = FMath::Max(LongestMs, FrameMs(Each->Machine));
		}
		Expect((Latest - Earliest) * 1000 <= BoundMs + LongestMs, "the true spread", Latest - Earliest);
		const FNetClockPlayerStart Known = Start.GetPlayerStart(Slow.ServerController);
		Expect(Known.bWasReady && Known.bHasStarted, "the server knows that each player started");
		ExpectNear(Known.LatenessMs, Begun[1].LatenessMs, 1e-3, "the server knows the lateness");
		const FNetClockStartResult Result = Start.GetStartResult();
		Expect(Result.Expected == 3 && Result.Acknowledged == 3 && Result.Started == 3,
			"the host is one of the players");
		Expect(Result.SpreadMs <= LongestMs, "the server's measured spread", Result.SpreadMs);
		ExpectNear(Result.ErrorBoundMs, BoundMs, 0.01, "the result has the largest bound");
		// Both sides must reach each beat at the same moment, whatever their frame rates are.
		int64 Own = 0, Theirs = 0;
		double Alpha = 0;
		Expect(Start.GetBeat(30, Own, Alpha) && OfSlow.GetBeat(30, Theirs, Alpha), "the beat is known");
		Expect(Own - Theirs >= -3 && Own - Theirs <= 3 && Own > 400 && Alpha >= 0 && Alpha < 1,
			"client and server have the same beat", Own, Theirs);
		Expect(!Start.GetBeat(0, Own, Alpha) && !Start.GetBeat(241, Own, Alpha), "other rates have no beat");
		Expect(Start.ScheduleStart(500), "the second round is scheduled");
		Session.Run(5);
		for (const FBegun* Each : All) { Promised(Session, *Each, Start.GetStartStatus().AtTicks, 2); }
	}

	SCENARIO(WaitForStart, Once)
	{
		{
			FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 63);
			UNetClockStart* Start = StartOf(*Session.Server);
			Session.Run(1);
			int32 Started = 0, Cancelled = 0;
			const auto Wait = [&](const UWorld* World)
			{
				UNetClockWaitForStart* Node = UNetClockWaitForStart::WaitForStart(World);
				Node->Started.AddLambda([&](double LatenessMs, double BoundMs)
					{ Started += LatenessMs >= 0 && BoundMs <= 0 ? 1 : 100; });
				Node->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
				Node->Activate();
				return Node;
			};
			Wait(Session.Server->World);
			Wait(Session.Server->World)->Cancel();
			Expect(Cancelled == 1, "the wait can be cancelled");
			Expect(Start->ScheduleStart(500), "the start is scheduled");
			Session.Run(0.3);
			Expect(Start->IsStartScheduled() && Started == 0, "not before");
			Session.Run(0.5);
			Expect(Started == 1 && Cancelled == 1, "the wait ends with the start");
			Wait(Session.Server->World);
			Expect(Started == 1, "a wait does not end inside its call");
			Session.Run(0.05);
			Expect(Started == 2, "a wait after the start ends in the next frame");
			// The world ends before this start, so neither pin is called.
			Expect(Start->ScheduleStart(60000), "a distant start is scheduled");
			Session.Run(0.1);
			Wait(Session.Server->World)->Cancel();
			Wait(nullptr);
			Expect(Cancelled == 3, "without a world, the wait is cancelled at once");
		}
		Expect(FDouble::CountKept(UNetClockWaitForStart::StaticClass()) == 0, "no node is kept");
	}

	/** The server reports why a player is not ready, and waits until its patience ends. */
	DUO(StartHeldUp, Once, Seed + 65)
	{
		FPeer& Mute = Session.Join(At(60, -35, 900), Link());
		FBegun GoodBegun(Peer.Machine), MuteBegun(Mute.Machine), Server(*Session.Server);
		Session.Run(3);
		// This machine sends nothing, as if it were loading or hanging.
		Mute.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		Session.Run(2);
		UNetClockStart* Start = StartOf(*Session.Server);
		Expect(Start->ScheduleStart(), "a start is requested");
		Session.Run(3);
		FNetClockStartStatus Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::HeldUp && Status.NotReady == 1 && Server.Scheduled == 0,
			"the start is held up");
		Expect(Status.HoldUp == ENetClockHoldUp::Silent && Status.HeldUpBy == Mute.ServerController,
			"the silent player is reported");
		Expect(Start->CancelStart() && !Start->IsStartScheduled() && !Start->CancelStart(),
			"a start that is held up can be cancelled");
		Session.Run(2);
		Expect(GoodBegun.Scheduled == 0 && Start->GetStartStatus().Stage == ENetClockStartStage::Cancelled,
			"no client got an event");
		Expect(Start->ScheduleStart(), "a start is requested again");
		Session.Run(8);
		Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::Started && Status.NotReady == 1,
			"after the patience, the start happens without the player");
		Promised(Session, GoodBegun, Status.AtTicks);
		Expect(Start->GetStartResult().Expected == 1, "an unready player does not count");
		Mute.Passes = nullptr;
		Session.Run(5);
		Expect(MuteBegun.Times == 1, "the silent client gets the event later", MuteBegun.Times);

		// The start waits for a player as soon as the player's first datagram has arrived.
		FPeer& Loading = Session.Join(At(60, 5, 40), Link());
		UNetClockSession* Served = Session.Server->Get<UNetClockSession>();
		Session.RunUntil([&]()
			{ return Loading.ServerComponent() && Served->NumberOf(*Loading.ServerComponent()) >= 0; });
		Expect(Start->ScheduleStart(), "a start is scheduled while a player joins");
		Session.Run(0.05);
		Expect(Start->GetStartStatus().Stage == ENetClockStartStage::HeldUp, "waits for the new player");
		Session.Run(6);
		Expect(Start->GetStartResult().Started == 3 && Start->GetStartStatus().NotReady == 0,
			"the start happens when all are ready");
		Session.Disconnect(Loading);
		Session.Run(3);
		Expect(Start->ScheduleStart(), "a start is scheduled after a player has left");
		Session.Run(2);
		Expect(Start->GetStartResult().Expected == 2 && Start->HasStarted(), "the other players start");
	}

	/** When the world ends, its scheduled start is dropped, and the next world schedules its own. */
	DUO(StartTravel, Once, Seed + 67, Link(20, 6, 0.05, 0.02))
	{
		FPeer& Slow = Session.Join(At(), Link(90, 6, 0.05, 0.02));
		Session.Run(6);
		std::deque<FBegun> Old = FollowAll(Session);
		FBegun OldServer(*Session.Server);
		Expect(StartOf(*Session.Server)->ScheduleStart(1500), "a start is requested");
		// Lost announcements are repeated long before the start.
		Expect(Session.RunUntil([&]() { return Old[0].Scheduled == 1 && Old[1].Scheduled == 1; }),
			"announced");
		// One client loads the next world more slowly.
		Slow.LoadSeconds = 3;
		Session.SeamlessTravel();
		FBegun Server(*Session.Server);
		const double Travelled = FDouble::State.Now;
		// The clients are still in the old world when the server schedules the start.
		Expect(StartOf(*Session.Server)->ScheduleStart(300), "the next world schedules its own start");
		std::deque<FBegun> New;
		for (const auto& Each : Session.Peers)
		{
			Session.RunUntil([&]() { return Each->bTravelled; });
			New.emplace_back(Each->Machine);
		}
		Session.Run(6);
		const int64 Instant = StartOf(*Session.Server)->GetStartStatus().AtTicks;
		Expect(OldServer.Times == 0 && Old[0].Times == 0 && Old[1].Times == 0,
			"the old world's start does not happen");
		for (const FBegun* Each : {&Server, &New[0], &New[1]}) { Promised(Session, *Each, Instant); }
		Expect(StartOf(*Session.Server)->GetStartResult().Started == 2, "all players start in the new world");
		Expect(Old[1].Scheduled == 1 && New[1].Scheduled == 1 && AfterMs(Session, Travelled, Instant) < -3000,
			"a loading client holds up the start, and gets the event in its new world");

		// The client reconnects to the same world and learns that the start has happened.
		Session.Disconnect(Peer);
		Session.Run(2);
		Session.Connect(Peer);
		FBegun Again(Peer.Machine);
		Session.Run(5);
		Expect(Again.Times == 1, "a returning player gets the start once", Again.Times);
		const double AgoMs = AfterMs(Session, Again.At, Instant);
		ExpectNear(Again.LatenessMs, AgoMs, Again.BoundMs + 2e-4, "ms since the start");
		Expect(StartOf(Peer.Machine)->GetStartStatus().Stage == ENetClockStartStage::JoinedLate,
			"the returning player counts as a late joiner");
		double Here = 0, There = 0;
		Expect(StartOf(Peer.Machine)->GetTimeSinceStart(Here) &&
				StartOf(*Session.Server)->GetTimeSinceStart(There),
			"the time since the start is known");
		ExpectNear(Here, There, 0.1, "the time since the start is the same on both machines");

		// No start is prepared in the next world, so nothing may announce the previous world's start there.
		Slow.LoadSeconds = 0;
		Session.SeamlessTravel();
		Session.Run(0.5);
		std::deque<FBegun> Last = FollowAll(Session);
		Session.Run(8);
		Expect(Last[0].Times == 0 && Last[1].Times == 0 && New[1].Times == 1, "no unscheduled start");
	}
}
