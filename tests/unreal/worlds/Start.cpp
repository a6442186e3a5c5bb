// Scheduled starts: everybody starts once, at the same instant, and beats count from there. With losses, with
// latecomers, and without other players.
#include "StartJudge.h"

namespace Scenarios
{
	static void StartDedicatedAt(uint64 Seed, double Loss)
	{
		Report::Scenario = Loss < 0.05 ? "start, 1 % loss" : "start, 10 % loss";
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 60);
		Session.Join(At(31.3, -20, 100), Link(10, 2, Loss, 0.02));
		Session.Join(At(60, 35, 70000), Link(25, 4, Loss, 0.02));
		Session.Join(At(144, -40, 3000), Link(60, 8, Loss, 0.02));
		Session.Join(At(59.3, 5, 250000), Link(120, 15, Loss, 0.02));
		Session.Run(6);
		std::deque<FBegun> Begun = FollowAll(Session);
		FBegun Server(*Session.Server);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			StartOf(Session.Peers[Index]->Machine)->SetBeatRate(Index == 2 ? 240 : 30);
			Expect(!StartOf(Session.Peers[Index]->Machine)->ScheduleStart(),
				"no start is a client's to schedule");
		}
		UNetClockStart* Start = StartOf(*Session.Server);
		Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), "nothing runs before it is prepared");
		Expect(!Start->ScheduleStart(-1) && !Start->ScheduleStart(std::nan("")), "a delay out of range");
		Expect(!Start->ScheduleStart(0, 0.5) && !Start->ScheduleStart(0, 1), "a confidence out of range");
		Start->PrepareStart();
		Session.Run(2);
		for (const auto& Peer : Session.Peers)
		{
			const FNetClockPlayerStart Known = Start->GetPlayerStart(Peer->ServerController);
			Expect(Known.bIsReady, "ready once it is prepared");
			Expect(Known.ErrorBoundMs < 300 && Known.ExpectedErrorMs < 5, "its errors", Known.ErrorBoundMs);
			Expect(Known.NoticeMs < 3000, "told in time", Known.NoticeMs);
		}
		Expect(Start->ScheduleStart(3000, 0.9999), "it is wanted");
		Session.Run(0.9);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Expect(Start->IsStartScheduled() && Server.Scheduled == 1, "scheduled");
		ExpectIn(Server.CountdownSeconds, 3, 5, "3 s ahead and the time to tell it");
		Expect(!Start->ScheduleStart(), "one at a time");
		Session.Run(1.5);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			const UNetClockStart* Heard = StartOf(Session.Peers[Index]->Machine);
			const double TrueMs = AfterMs(Session, Session.Peers[Index]->Machine.TickStart, Instant);
			Expect(Heard->IsStartScheduled() && Begun[Index].Scheduled == 1, "all have heard of it");
			double SinceSeconds = 0;
			Expect(Heard->GetTimeSinceStart(SinceSeconds), "the countdown is known");
			Expect(FMath::Abs(SinceSeconds * 1000 - TrueMs) < 250,
				"and count down to the same instant", TrueMs);
		}
		Session.Run(20);
		Promised(Session, Server, Instant);
		double First = Server.At, Last = Server.At, Bound = 0, Frame = FrameMs(*Session.Server);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			const FPeer& Peer = *Session.Peers[Index];
			Promised(Session, Begun[Index], Instant);
			BeatsAgree(Session, Begun[Index], Instant, Index == 2 ? 240 : 30);
			const FNetClockPlayerStart Known = Start->GetPlayerStart(Peer.ServerController);
			Expect(Known.bWasReady && Known.bHasStarted, "the server is told that each began");
			ExpectNear(Known.LatenessMs, Begun[Index].LatenessMs, 1e-3, "and how late");
			First = FMath::Min(First, Begun[Index].At);
			Last = FMath::Max(Last, Begun[Index].At);
			Bound = FMath::Max(Bound, Begun[Index].BoundMs);
			Frame = FMath::Max(Frame, FrameMs(Peer.Machine));
		}
		const FNetClockStartResult Result = Start->GetStartResult();
		Expect((Last - First) * 1000 <= Bound + Frame, "the true spread is within a frame and the bound",
			(Last - First) * 1000);
		Expect(Result.Expected == 4 && Result.Acknowledged == 4 && Result.Started == 4,
			"all were expected, and have begun");
		Expect(Result.SpreadMs <= Frame, "the spread as the server knows it", Result.SpreadMs);
		Expect(Result.MedianLatenessMs <= Result.P99LatenessMs, "median and p99 of the lateness");
		ExpectNear(Result.ErrorBoundMs, Bound, 0.01, "the largest bound");
		// Both sides have the same beat at the same moment, whichever frame asks for it.
		int64 Own = 0, Theirs = 0;
		double Alpha = 0;
		Expect(Start->GetBeat(30, Own, Alpha), "a beat is under way");
		Expect(StartOf(Session.Peers[1]->Machine)->GetBeat(30, Theirs, Alpha), "on a client, too");
		Expect(Own - Theirs >= -3 && Own - Theirs <= 3 && Own > 400 && Alpha >= 0 && Alpha < 1,
			"the same on client and server", Own, Theirs);
		Expect(!Start->GetBeat(0, Own, Alpha) && !Start->GetBeat(241, Own, Alpha), "no other rates");
		Expect(!Start->SetBeatRate(241) && !Start->SetBeatRate(-1), "nor to be told by");

		// A player who joins now is informed at once, and goes on from there.
		FPeer& Late = Session.Join(At(60, 15, 10), Link(40, 6, Loss, 0.01));
		FBegun LateBegun(Late.Machine);
		StartOf(Late.Machine)->SetBeatRate(30);
		Session.Run(5);
		const double SinceMs = AfterMs(Session, LateBegun.At, Instant);
		Expect(LateBegun.Times == 1, "who joins late is told once", LateBegun.Times);
		const FNetClockStartStatus LateStatus = StartOf(Late.Machine)->GetStartStatus();
		Expect(LateStatus.Stage == ENetClockStartStage::JoinedLate, "that it is late");
		ExpectNear(LateBegun.LatenessMs, SinceMs, LateBegun.BoundMs, "how long ago it was");
		Expect(LateBegun.At - Late.JoinedAt < 3, "soon", LateBegun.At - Late.JoinedAt);
		Expect(!LateBegun.Beats.empty() &&
				static_cast<double>(LateBegun.Beats[0]) * 1000 / 30 > LateBegun.LatenessMs,
			"and of no beats that are past");
		for (const FBegun& Each : Begun) { Expect(Each.Times == 1, "the others are not told again"); }

		// A second round in the same world.
		Expect(Start->ScheduleStart(500), "another round");
		Session.Run(5);
		Expect(Server.Times == 2 && LateBegun.Times == 2 && Start->GetStartStatus().AtTicks > Instant,
			"begins once more");
		for (const FBegun& Each : Begun)
		{
			Expect(Each.Times == 2 && Each.Scheduled == 2, "on all machines");
		}
		for (const auto& Peer : Session.Peers) { Expect(Peer->Kicks == 0, "nobody is thrown out"); }
	}

	SCENARIO(StartDedicated, Long)
	{
		StartDedicatedAt(Seed, 0.01);
		StartDedicatedAt(Seed, 0.10);
	}

	/** The host plays, too, without any traffic. Another game runs in the same process. */
	SCENARIO(StartListen, Once)
	{
		FSession Session(At(60, -8, 900), NM_ListenServer, Seed + 61);
		FSession Other(At(60, 0, 7), NM_ListenServer, Seed + 62);
		for (const double Fps : {144.0, 30.0})
		{
			Session.Join(At(Fps, 30, 100), Link(20, 4, 0.10, 0.02));
		}
		Other.Join(At(60, -30, 200), Link(25, 4, 0.01, 0.01));
		std::deque<FBegun> Begun = FollowAll(Session);
		FBegun Host(*Session.Server), OtherHost(*Other.Server), OtherPeer(Other.Peers[0]->Machine);
		const auto Both = [&](double Seconds)
		{
			for (double Done = 0; Done < Seconds; Done += 0.5)
			{
				Other.Run(0.5);
				Session.Run(0.5);
			}
		};
		Both(6);
		UNetClockStart* Start = StartOf(*Session.Server);
		Start->SetBeatRate(60);
		Expect(Start->ScheduleStart(2000), "it is wanted");
		Both(1.5);
		const int64 First = Start->GetStartStatus().AtTicks;
		Expect(Start->IsStartScheduled() && Begun[0].Scheduled == 1 && Begun[1].Scheduled == 1, "announced");
		// The start is cancelled and scheduled again.
		Expect(Start->CancelStart() && !Start->CancelStart(), "cancelled once");
		Both(3);
		Expect(Host.Cancelled == 1 && Begun[0].Cancelled == 1 && Begun[1].Cancelled == 1,
			"all hear that it is taken back");
		Expect(Host.Times == 0 && Begun[0].Times == 0 && Begun[1].Times == 0, "and nobody begins");
		Expect(Start->ScheduleStart(1000), "and again");
		Both(6);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Expect(Instant > First, "at another instant");
		BeatsAgree(Session, Host, Instant, 60);
		for (const FBegun* Each : {&Host, &Begun[0], &Begun[1]}) { Promised(Session, *Each, Instant); }
		const FNetClockStartResult Result = Start->GetStartResult();
		Expect(Result.Expected == 3 && Result.Started == 3, "the host is one of the players");
		Expect(OtherHost.Times == 0 && OtherPeer.Times == 0 && OtherPeer.Scheduled == 0,
			"the other game hears nothing of it");
	}

	/** There is nobody to wait for: a player alone, and a server that is empty until somebody joins. */
	SCENARIO(StartAlone, Once)
	{
		{
			FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 63);
			FBegun Begun(*Session.Server);
			UNetClockStart* Start = StartOf(*Session.Server);
			Session.Run(1);
			int32 Started = 0, Cancelled = 0;
			const auto Wait = [&]()
			{
				UNetClockWaitForStart* Node = UNetClockWaitForStart::WaitForStart(Session.Server->World);
				Node->Started.AddLambda([&](double LatenessMs, double BoundMs)
					{ Started += LatenessMs >= 0 && BoundMs <= 0 ? 1 : 100; });
				Node->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
				Node->Activate();
				return Node;
			};
			Wait();
			Wait()->Cancel();
			Expect(Cancelled == 1, "a wait that is cancelled");
			Expect(Start->ScheduleStart(500), "it is wanted");
			Session.Run(0.3);
			Expect(Start->IsStartScheduled() && Begun.Times == 0, "not before");
			Session.Run(0.5);
			Promised(Session, Begun, Start->GetStartStatus().AtTicks);
			Expect(Started == 1 && Cancelled == 1, "who waits for it goes on");
			Wait();
			Expect(Started == 1, "not in the call that asks");
			Session.Run(0.05);
			Expect(Started == 2, "who waits for what has begun goes on in the next frame");
			// A start that never comes. The end of the world calls neither pin.
			Expect(Start->ScheduleStart(60000), "one far ahead");
			Session.Run(0.1);
			Wait()->Cancel();
			Expect(Cancelled == 2, "cancelled");
			UNetClockWaitForStart* Nowhere = UNetClockWaitForStart::WaitForStart(nullptr);
			Nowhere->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
			Nowhere->Activate();
			Expect(Cancelled == 3, "no world is cancelled at once");
		}
		Expect(FDouble::CountKept(UNetClockWaitForStart::StaticClass()) == 0, "nothing is kept");

		FSession Session(At(30, 10, 5000), NM_DedicatedServer, Seed + 64);
		Session.Run(1);
		UNetClockStart* Start = StartOf(*Session.Server);
		Expect(Start->ScheduleStart(200), "an empty server");
		Session.Run(1);
		Expect(Start->HasStarted(), "begins");
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FBegun Begun(Peer.Machine);
		Session.Run(5);
		const double SinceMs = AfterMs(Session, Begun.At, Start->GetStartStatus().AtTicks);
		Expect(Begun.Times == 1, "who joins later is told once");
		ExpectNear(Begun.LatenessMs, SinceMs, Begun.BoundMs, "when that was");
		double Here = 0, There = 0;
		Expect(StartOf(Peer.Machine)->GetTimeSinceStart(Here) && Start->GetTimeSinceStart(There), "known");
		ExpectNear(Here, There, 0.1,
			"the time since then is the same everywhere");
	}
}
