// Scheduled starts: everybody once, at one instant, and beats from there; with loss, latecomers, cheats and travel.
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

	static UNetClockStart* StartOf(const FMachine& Machine) { return Machine.World->GetSubsystem<UNetClockStart>(); }

	static void Follow(FBegun& Begun, const FMachine& Machine)
	{
		UNetClockStart* Start = StartOf(Machine);
		Start->OnStart.AddLambda([&Begun, &Machine](double LatenessMs, double BoundMs)
		{
			++Begun.Times;
			Begun.LatenessMs = LatenessMs;
			Begun.BoundMs = BoundMs;
			Begun.At = Machine.TickStart;
		});
		Start->OnStartScheduled.AddLambda([&Begun](double Seconds) { ++Begun.Scheduled; Begun.CountdownSeconds = Seconds; });
		Start->OnStartCancelled.AddLambda([&Begun]() { ++Begun.Cancelled; });
		Start->OnBeat.AddLambda([&Begun, &Machine](int64 Beat) { Begun.Beats.push_back(Beat); Begun.BeatsAt.push_back(Machine.TickStart); });
	}

	/** True server time of a true time, in ms after an instant. */
	static double AfterMs(const FSession& Session, double At, int64 Instant)
	{
		return Session.Server->Clock.At(At) * 1000 - static_cast<double>(Instant) * 1e-4;
	}

	/** Longest frame of a machine, in ms. */
	static double FrameMs(const FMachine& Machine) { return 1000 / Machine.Settings.Fps * (1 + Machine.Settings.FrameJitter) + 0.2; }

	/** What a start promises, on one machine: once, within a frame and its bound of the instant, and its lateness is the truth. */
	static void Promised(const char* Name, const FSession& Session, const FMachine& Machine, const FBegun& Begun, int64 Instant)
	{
		const double TrueMs = AfterMs(Session, Begun.At, Instant);
		Report::Expect(Begun.Times == 1, Name, "it begins once, not " + std::to_string(Begun.Times) + " times");
		Report::Expect(TrueMs >= -Begun.BoundMs - 2e-4 && TrueMs <= FrameMs(Machine) + Begun.BoundMs, Name, "at its time, give or take a frame and the bound: " + std::to_string(TrueMs) + " ms, bound " + std::to_string(Begun.BoundMs));
		Report::Expect(Begun.LatenessMs >= 0 && Begun.LatenessMs <= FrameMs(Machine), Name, "in the first frame of its own clock: " + std::to_string(Begun.LatenessMs));
		Report::Expect(FMath::Abs(TrueMs - Begun.LatenessMs) <= Begun.BoundMs + 2e-4, Name, "late by what it says: " + std::to_string(TrueMs) + ", it says " + std::to_string(Begun.LatenessMs));
		Report::Expect(StartOf(Machine)->GetStartStatus().AtTicks == Instant, Name, "all mean the same instant");
	}

	/** The numbers follow each other from zero on, and each comes on all machines at the same time. */
	static void BeatsAgree(const char* Name, const FSession& Session, const FMachine& Machine, const FBegun& Begun, int64 Instant, double Rate)
	{
		int32 Wrong = 0, Off = 0;
		for (size_t Index = 0; Index < Begun.Beats.size(); ++Index)
		{
			Wrong += Begun.Beats[Index] != static_cast<int64>(Index) ? 1 : 0;
			const double TrueMs = AfterMs(Session, Begun.BeatsAt[Index], Instant) - static_cast<double>(Begun.Beats[Index]) * 1000 / Rate;
			Off += TrueMs < -Begun.BoundMs - 1 || TrueMs > FrameMs(Machine) + Begun.BoundMs + 1 ? 1 : 0;
		}
		Report::Expect(Wrong == 0 && Begun.Beats.size() > 100, Name, std::to_string(Wrong) + " of " + std::to_string(Begun.Beats.size()) + " beats are skipped or repeated");
		Report::Expect(Off == 0, Name, std::to_string(Off) + " beats are not there when they should be");
	}

	void StartDedicated(uint64 Seed, double Loss)
	{
		const char* Name = Loss < 0.05 ? "start, 1 % loss" : "start, 10 % loss";
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 60);
		Session.Add(At(31.3, -20, 100), Link(10, 2, Loss, 0.02));
		Session.Add(At(60, 35, 70000), Link(25, 4, Loss, 0.02));
		Session.Add(At(144, -40, 3000), Link(60, 8, Loss, 0.02));
		Session.Add(At(59.3, 5, 250000), Link(120, 15, Loss, 0.02));
		FBegun Begun[4], Server;
		for (size_t Index = 0; Index < 4; ++Index) { Session.Connect(*Session.Peers[Index]); }
		Session.Run(6);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			Follow(Begun[Index], Session.Peers[Index]->Machine);
			StartOf(Session.Peers[Index]->Machine)->SetBeatRate(Index == 2 ? 240 : 30);
			Report::Expect(!StartOf(Session.Peers[Index]->Machine)->ScheduleStart(), Name, "no start is a client's to schedule");
		}
		Follow(Server, *Session.Server);
		UNetClockStart* Start = StartOf(*Session.Server);
		Report::Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), Name, "nothing runs before it is prepared");
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(!Start->ScheduleStart(-1) && !Start->ScheduleStart(std::nan("")) && !Start->ScheduleStart(0, 0.5) && !Start->ScheduleStart(0, 1), Name, "what is out of range is refused");
		Start->PrepareStart();
		Session.Run(2);
		for (const auto& Peer : Session.Peers)
		{
			const FNetClockPlayerStart Known = Start->GetPlayerStart(Peer->ServerController);
			Report::Expect(Known.bIsReady && Known.ErrorBoundMs < 300 && Known.ExpectedErrorMs < 5 && Known.NoticeMs < 3000, Name, "ready once it is prepared");
		}
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(3000, 0.9999), Name, "it is wanted");
		Session.Run(0.9);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Report::Expect(Start->IsStartScheduled() && Server.Scheduled == 1 && Server.CountdownSeconds > 3 && Server.CountdownSeconds < 5, Name, "scheduled, 3 s ahead and the time to tell it: " + std::to_string(Server.CountdownSeconds));
		Report::Expect(!Start->ScheduleStart(), Name, "one at a time");
		Session.Run(1.5);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			const UNetClockStart* Heard = StartOf(Session.Peers[Index]->Machine);
			const double TrueMs = AfterMs(Session, Session.Peers[Index]->Machine.TickStart, Instant);
			Report::Expect(Heard->IsStartScheduled() && Begun[Index].Scheduled == 1, Name, "all have heard of it");
			Report::Expect(FMath::Abs(Heard->GetStartCountdownSeconds() * 1000 + TrueMs) < 250, Name, "and count down to the same instant: " + std::to_string(TrueMs));
		}
		Session.Run(20);
		Promised(Name, Session, *Session.Server, Server, Instant);
		double First = Server.At, Last = Server.At, Bound = 0, Frame = FrameMs(*Session.Server);
		for (size_t Index = 0; Index < 4; ++Index)
		{
			const FPeer& Peer = *Session.Peers[Index];
			Promised(Name, Session, Peer.Machine, Begun[Index], Instant);
			BeatsAgree(Name, Session, Peer.Machine, Begun[Index], Instant, Index == 2 ? 240 : 30);
			const FNetClockPlayerStart Known = Start->GetPlayerStart(Peer.ServerController);
			Report::Expect(Known.bWasReady && Known.bHasStarted && FMath::Abs(Known.LatenessMs - Begun[Index].LatenessMs) < 1e-3, Name, "the server is told how late each was");
			First = FMath::Min(First, Begun[Index].At);
			Last = FMath::Max(Last, Begun[Index].At);
			Bound = FMath::Max(Bound, Begun[Index].BoundMs);
			Frame = FMath::Max(Frame, FrameMs(Peer.Machine));
		}
		const FNetClockStartResult Result = Start->GetStartResult();
		Report::Expect((Last - First) * 1000 <= Bound + Frame, Name, "the true spread is within a frame and the bound: " + std::to_string((Last - First) * 1000));
		Report::Expect(Result.Expected == 4 && Result.Heard == 4 && Result.Started == 4, Name, "all were expected, and have begun");
		Report::Expect(Result.SpreadMs <= Frame && Result.MedianLatenessMs <= Result.P99LatenessMs && FMath::Abs(Result.ErrorBoundMs - Bound) < 0.01, Name, "the spread as the server knows it");
		// The same beat at the same moment, asked for in any frame.
		int64 Own = 0, Theirs = 0;
		double Alpha = 0;
		Report::Expect(Start->GetBeat(30, Own, Alpha) && StartOf(Session.Peers[1]->Machine)->GetBeat(30, Theirs, Alpha), Name, "a beat is under way");
		Report::Expect(Own - Theirs >= -3 && Own - Theirs <= 3 && Own > 400 && Alpha >= 0 && Alpha < 1, Name, "the same on client and server: " + std::to_string(Own) + ", " + std::to_string(Theirs));
		Report::Expect(!Start->GetBeat(0, Own, Alpha) && !Start->GetBeat(241, Own, Alpha) && !Start->SetBeatRate(241) && !Start->SetBeatRate(-1), Name, "no other rates");
		std::printf("    %s: begun %.1f ms apart (server's view %.1f ms, p50 %.1f, p99 %.1f late), bounds up to %.1f ms; announced %.0f ms ahead besides the countdown\n", Name, (Last - First) * 1000,
			Result.SpreadMs, Result.MedianLatenessMs, Result.P99LatenessMs, Bound, Server.CountdownSeconds * 1000 - 3000);

		// Who comes now is told at once, and goes on from there.
		FPeer& Late = Session.Join(At(60, 15, 10), Link(40, 6, Loss, 0.01));
		FBegun LateBegun;
		Follow(LateBegun, Late.Machine);
		StartOf(Late.Machine)->SetBeatRate(30);
		Session.Run(5);
		const double SinceMs = AfterMs(Session, LateBegun.At, Instant);
		Report::Expect(LateBegun.Times == 1 && StartOf(Late.Machine)->GetStartStatus().Stage == ENetClockStartStage::JoinedLate, Name, "who joins late is told once");
		Report::Expect(FMath::Abs(LateBegun.LatenessMs - SinceMs) <= LateBegun.BoundMs && LateBegun.At - Late.JoinedAt < 3, Name, "how long ago it was");
		Report::Expect(!LateBegun.Beats.empty() && static_cast<double>(LateBegun.Beats[0]) * 1000 / 30 > LateBegun.LatenessMs, Name, "and of no beats that are past");
		for (const FBegun& Each : Begun) { Report::Expect(Each.Times == 1, Name, "the others are not told again"); }

		// A second round in the same world.
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(500), Name, "another round");
		Session.Run(5);
		Report::Expect(Server.Times == 2 && LateBegun.Times == 2 && Start->GetStartStatus().AtTicks > Instant, Name, "begins once more");
		for (const FBegun& Each : Begun) { Report::Expect(Each.Times == 2 && Each.Scheduled == 2, Name, "on all machines"); }
		for (const auto& Peer : Session.Peers) { Report::Expect(Peer->Kicks == 0, Name, "nobody is thrown out"); }
	}

	/** The host plays along without traffic; another game runs in the same process. */
	void StartListen(uint64 Seed)
	{
		const char* Name = "start, listen";
		FSession Session(At(60, -8, 900), NM_ListenServer, Seed + 61);
		FSession Other(At(60, 0, 7), NM_ListenServer, Seed + 62);
		for (const double Fps : {144.0, 30.0}) { Session.Connect(Session.Add(At(Fps, 30, 100), Link(20, 4, 0.10, 0.02))); }
		Other.Connect(Other.Add(At(60, -30, 200), Link(25, 4, 0.01, 0.01)));
		FBegun Begun[2], Host, OtherHost, OtherPeer;
		for (size_t Index = 0; Index < 2; ++Index) { Follow(Begun[Index], Session.Peers[Index]->Machine); }
		Follow(Host, *Session.Server);
		Follow(OtherHost, *Other.Server);
		Follow(OtherPeer, Other.Peers[0]->Machine);
		const auto Both = [&](double Seconds) { for (double Done = 0; Done < Seconds; Done += 0.5) { Session.Run(0.5); Other.Run(0.5); } };
		Both(6);
		UNetClockStart* Start = StartOf(*Session.Server);
		Session.Server->Enter(FDouble::State.Now);
		StartOf(*Session.Server)->SetBeatRate(60);
		Report::Expect(Start->ScheduleStart(2000), Name, "it is wanted");
		Both(1.5);
		const int64 First = Start->GetStartStatus().AtTicks;
		Report::Expect(Start->IsStartScheduled() && Begun[0].Scheduled == 1 && Begun[1].Scheduled == 1, Name, "announced");
		// Taken back, and again.
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->CancelStart() && !Start->CancelStart(), Name, "cancelled once");
		Both(3);
		Report::Expect(Host.Cancelled == 1 && Begun[0].Cancelled == 1 && Begun[1].Cancelled == 1, Name, "all hear that it is taken back");
		Report::Expect(Host.Times == 0 && Begun[0].Times == 0 && Begun[1].Times == 0, Name, "and nobody begins");
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(1000), Name, "and again");
		Both(6);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Report::Expect(Instant > First, Name, "at another instant");
		Promised(Name, Session, *Session.Server, Host, Instant);
		BeatsAgree(Name, Session, *Session.Server, Host, Instant, 60);
		for (size_t Index = 0; Index < 2; ++Index) { Promised(Name, Session, Session.Peers[Index]->Machine, Begun[Index], Instant); }
		const FNetClockStartResult Result = Start->GetStartResult();
		Report::Expect(Result.Expected == 3 && Result.Started == 3, Name, "the host is one of the players");
		Report::Expect(OtherHost.Times == 0 && OtherPeer.Times == 0 && OtherPeer.Scheduled == 0, Name, "the other game hears nothing of it");
		std::printf("    %s: %.1f ms apart as the host knows it\n", Name, Result.SpreadMs);
	}

	/** Without anybody to wait for: alone, and a server that is empty until somebody joins. */
	void StartAlone(uint64 Seed)
	{
		const char* Name = "start, alone";
		{
			FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 63);
			FBegun Begun;
			Follow(Begun, *Session.Server);
			Session.Run(1);
			Session.Server->Enter(FDouble::State.Now);
			int32 Started = 0, Cancelled = 0;
			const auto Wait = [&]()
			{
				UNetClockWaitForStart* Node = UNetClockWaitForStart::WaitForStart(Session.Server->World);
				Node->Started.AddLambda([&](double LatenessMs, double BoundMs) { Started += LatenessMs >= 0 && BoundMs <= 0 ? 1 : 100; });
				Node->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
				Node->Activate();
				return Node;
			};
			Wait();
			Wait()->Cancel();
			Report::Expect(Cancelled == 1, Name, "a wait that is cancelled");
			Report::Expect(StartOf(*Session.Server)->ScheduleStart(500), Name, "it is wanted");
			Session.Run(0.3);
			Report::Expect(StartOf(*Session.Server)->IsStartScheduled() && Begun.Times == 0, Name, "not before");
			Session.Run(0.5);
			Promised(Name, Session, *Session.Server, Begun, StartOf(*Session.Server)->GetStartStatus().AtTicks);
			Report::Expect(Started == 1 && Cancelled == 1, Name, "who waits for it goes on");
			Session.Server->Enter(FDouble::State.Now);
			Wait();
			Report::Expect(Started == 1, Name, "not in the call that asks");
			Session.Run(0.05);
			Report::Expect(Started == 2, Name, "who waits for what has begun goes on in the next frame");
			// One that never comes: the end of the world calls neither pin.
			Session.Server->Enter(FDouble::State.Now);
			Report::Expect(StartOf(*Session.Server)->ScheduleStart(60000), Name, "one far ahead");
			Session.Run(0.1);
			Wait()->Cancel();
			Report::Expect(Cancelled == 2, Name, "cancelled");
			UNetClockWaitForStart* Nowhere = UNetClockWaitForStart::WaitForStart(nullptr);
			Nowhere->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
			Nowhere->Activate();
			Report::Expect(Cancelled == 3, Name, "no world is cancelled at once");
		}
		Report::Expect(FDouble::CountKept(UNetClockWaitForStart::StaticClass()) == 0, Name, "nothing is kept");

		FSession Session(At(30, 10, 5000), NM_DedicatedServer, Seed + 64);
		Session.Run(1);
		Session.Server->Enter(FDouble::State.Now);
		UNetClockStart* Start = StartOf(*Session.Server);
		Report::Expect(Start->ScheduleStart(200), Name, "an empty server");
		Session.Run(1);
		Report::Expect(Start->HasStarted(), Name, "begins");
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FBegun Begun;
		Follow(Begun, Peer.Machine);
		Session.Run(5);
		Report::Expect(Begun.Times == 1 && FMath::Abs(Begun.LatenessMs - AfterMs(Session, Begun.At, Start->GetStartStatus().AtTicks)) <= Begun.BoundMs, Name, "and who joins later is told when that was");
		Report::Expect(FMath::Abs(StartOf(Peer.Machine)->GetTimeSinceStartSeconds() - Start->GetTimeSinceStartSeconds()) < 0.1, Name, "the time since then is the same everywhere");
	}

	/** Who is not ready is named, with the reason, and waited for until patience ends. */
	void StartHeldUp(uint64 Seed)
	{
		const char* Name = "start, held up";
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 65);
		FPeer& Good = Session.Add(At(60, 35, 70), Link(25, 4, 0.01, 0.02));
		FPeer& Deaf = Session.Add(At(60, -35, 900), Link(25, 4, 0.01, 0.02));
		Session.Connect(Good);
		Session.Connect(Deaf);
		// What it says of starts arrives; no probe does.
		const auto Carry = Deaf.Machine.Driver->Send;
		const auto NoProbes = [&Carry](UNetConnection* Connection, UObject* Object, FDoubleRpc Rpc)
		{
			if (std::string(Rpc.Name).find("Probe") == std::string::npos) { Carry(Connection, Object, Rpc); }
		};
		Deaf.Machine.Driver->Send = NoProbes;
		FBegun GoodBegun, DeafBegun, Server;
		Follow(GoodBegun, Good.Machine);
		Follow(DeafBegun, Deaf.Machine);
		Follow(Server, *Session.Server);
		Session.Run(5);
		UNetClockStart* Start = StartOf(*Session.Server);
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(), Name, "it is wanted");
		Session.Run(3);
		FNetClockStartStatus Status = Start->GetStartStatus();
		Report::Expect(Status.Stage == ENetClockStartStage::HeldUp && Status.NotReady == 1 && Server.Scheduled == 0, Name, "it is held up");
		Report::Expect(Status.HoldUp == ENetClockHoldUp::Unsynced && Start->GetStartHeldUpBy() == Deaf.ServerController, Name, "by one whose clock is not in sync");
		Report::Expect(Start->CancelStart() && !Start->IsStartScheduled() && !Start->CancelStart(), Name, "what is held up can be cancelled");
		Session.Run(2);
		Report::Expect(GoodBegun.Scheduled == 0 && Start->GetStartStatus().Stage == ENetClockStartStage::Cancelled, Name, "and nobody has heard of it");
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(), Name, "it is wanted again");
		Session.Run(8);
		Status = Start->GetStartStatus();
		Report::Expect(Status.Stage == ENetClockStartStage::Started && Status.NotReady == 1, Name, "patience ends: it begins without");
		Promised(Name, Session, Good.Machine, GoodBegun, Status.AtTicks);
		Report::Expect(Start->GetStartResult().Expected == 1, Name, "who was not ready does not count");
		Deaf.Machine.Driver->Send = Carry;
		Session.Run(5);
		Report::Expect(DeafBegun.Times == 1, Name, "and is told when it can be: " + std::to_string(DeafBegun.Times));

		// Ready in the end: nobody is left behind.
		FPeer& Loading = Session.Join(At(60, 5, 40), Link(25, 4, 0.01, 0.02));
		FBegun LoadingBegun;
		Follow(LoadingBegun, Loading.Machine);
		Session.Run(0.15);
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(), Name, "while one joins");
		Session.Run(0.05);
		Report::Expect(Start->GetStartStatus().Stage == ENetClockStartStage::HeldUp, Name, "it waits for it");
		Session.Run(6);
		Report::Expect(Start->GetStartResult().Started == 3 && Start->GetStartStatus().NotReady == 0, Name, "until all are ready");
		// The round before was over when it came: it is told of that one at most, and begins the other in time.
		Report::Expect(LoadingBegun.LatenessMs < FrameMs(Loading.Machine), Name, "in time: " + std::to_string(LoadingBegun.LatenessMs));

		// Who leaves is not waited for.
		Session.Disconnect(Loading);
		Session.Run(3);
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(Start->ScheduleStart(), Name, "after one has left");
		Session.Run(2);
		Report::Expect(Start->GetStartResult().Expected == 2 && Start->HasStarted(), Name, "the others begin");
	}

	/** What a changed client can send of starts: 32 bytes of its own choice. */
	static FDoubleRpc Message(int32 World, uint64 Head, uint64 Key, uint64 Third, uint64 Fourth)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "UNetClockComponent::ServerStartMessage";
		FNetClockDatagram Datagram;
		Datagram.First = static_cast<int64>(Head);
		Datagram.Second = static_cast<int64>(Key);
		Datagram.Third = static_cast<int64>(Third);
		Datagram.Fourth = static_cast<int64>(Fourth);
		Rpc.Run = [World, Datagram](UObject* Target)
		{
			static_cast<UNetClockComponent*>(Target)->ServerStartMessage_Implementation(World, Datagram);
			return true;
		};
		return Rpc;
	}

	/** One who floods, lies about its clock and speaks for others; its victims start in time. */
	void StartCheats(uint64 Seed)
	{
		const char* Name = "start, cheats";
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 66);
		FPeer& Honest = Session.Add(At(60, 35, 70), Link(25, 4, 0.01, 0.02));
		FPeer& Cheat = Session.Add(At(60, -35, 900), Link(25, 4, 0.01, 0.02));
		Session.Connect(Honest);
		Session.Connect(Cheat);
		FBegun Begun, Server;
		Follow(Begun, Honest.Machine);
		Follow(Server, *Session.Server);
		// The cheat's own machine is silent; its changed copy has other things to say.
		const auto Carry = Cheat.Machine.Driver->Send;
		Cheat.Machine.Driver->Send = [&Carry](UNetConnection* Connection, UObject* Object, FDoubleRpc Rpc)
		{
			if (std::string(Rpc.Name).find("StartMessage") == std::string::npos) { Carry(Connection, Object, Rpc); }
		};
		Session.Run(5);
		UNetClockStart* Start = StartOf(*Session.Server);
		Session.Server->Enter(FDouble::State.Now);
		Start->PrepareStart();
		Session.Run(1);
		const int32 World = Session.Server->World->GetSubsystem<UNetClockSubsystem>()->GetWorldKnowledge().World;
		const uint64 Epoch = static_cast<uint64>(Session.Server->Game->GetSubsystem<UNetClockSession>()->GetServerEpoch());
		constexpr uint64 Readiness = 0x4E4B010300000000ull, Result = 0x4E4B010700000000ull, Key = 77;
		// It claims a perfect clock of a round trip of nothing, then one that is a second off: it is never ready.
		uint64 Number = 0;
		const auto Claim = [&](uint64 ErrorTicks) { Session.Forge(Cheat, Cheat.ServerComponent(), Message(World, Readiness | ++Number, Key, ErrorTicks << 32 | ErrorTicks, Epoch & 0xFFFFFFFFu)); };
		for (int32 Step = 0; Step < 8; ++Step) { Claim(10); Session.Run(0.25); }
		Report::Expect(Start->GetPlayerStart(Cheat.ServerController).bIsReady, Name, "who claims a good clock is believed to have one");
		Claim(10000000);
		Session.Run(0.5);
		Session.Server->Enter(FDouble::State.Now);
		const double Asked = FDouble::State.Now;
		Report::Expect(Start->ScheduleStart(), Name, "it is wanted");
		int32 NamedInaccurate = 0;
		const int64 DroppedBefore = Cheat.ServerComponent()->GetDroppedStartMessages();
		while (!Start->IsStartScheduled() && FDouble::State.Now < Asked + 20)
		{
			Claim(10000000);
			// And floods, with messages of all kinds in the name of all keys and worlds.
			for (uint64 Index = 0; Index < 30; ++Index) { Session.Forge(Cheat, Cheat.ServerComponent(), Message(World + static_cast<int32>(Index % 3), (Readiness + (Index % 9 << 32)) | Index, Index, Index << 60, Index * Epoch)); }
			Session.Run(0.1);
			NamedInaccurate += Start->GetStartStatus().HoldUp == ENetClockHoldUp::Inaccurate && Start->GetStartHeldUpBy() == Cheat.ServerController ? 1 : 0;
		}
		const double Held = FDouble::State.Now - Asked;
		Report::Expect(NamedInaccurate > 10, Name, "who holds it up is named, with the reason");
		Report::Expect(Held > 4 && Held < 6, Name, "for half of the patience and no longer: " + std::to_string(Held) + " s");
		Report::Expect(Cheat.ServerComponent()->GetDroppedStartMessages() - DroppedBefore > 1000, Name, "the flood is dropped");
		Report::Expect(Honest.ServerComponent()->GetDroppedStartMessages() == 0, Name, "the other's messages are not");
		Session.Run(3);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Promised(Name, Session, Honest.Machine, Begun, Instant);
		// Results of its own invention: before the start, in the future, and of nobody's key.
		const int64 Invented[] = {Instant - 1, Instant + 600000000ll, INT64_MAX, INT64_MIN};
		for (const int64 Fired : Invented)
		{
			Session.Forge(Cheat, Cheat.ServerComponent(), Message(World, Result | 1, Key, static_cast<uint64>(Fired), 10ull << 32 | 10));
			Session.Run(0.2);
		}
		Report::Expect(!Start->GetPlayerStart(Cheat.ServerController).bHasStarted, Name, "no result from before the start or from the future");
		// In the name of another: not its component, so not its call.
		const int32 Warnings = Session.OwnershipWarnings;
		Cheat.Link.Up.Loss = Cheat.Link.Up.Duplicates = 0;
		Session.Forge(Cheat, Honest.ServerComponent(), Message(World, Readiness | 9999, Key, 0, 0));
		Session.Run(0.5);
		Report::Expect(Session.OwnershipWarnings == Warnings + 1 && Start->GetPlayerStart(Honest.ServerController).bIsReady, Name, "nobody speaks for another");
		Report::Expect(Cheat.Kicks == 0 && Cheat.ServerController && Start->GetStartResult().Expected == 1, Name, "nobody is thrown out");
		// A server's messages that make no sense, at a client.
		for (uint64 Index = 0; Index < 500; ++Index)
		{
			FNetClockDatagram Nonsense;
			Nonsense.First = static_cast<int64>(0x4E4B010400000000ull + Index * 0x100000001ull);
			Nonsense.Second = Nonsense.Third = Nonsense.Fourth = static_cast<int64>(Index << 55);
			Honest.Component()->ClientStartMessage_Implementation(World, Nonsense);
		}
		Session.Run(1);
		Report::Expect(Begun.Times == 1 && Begun.Scheduled == 1, Name, "what is not the server's changes nothing");
		std::printf("    %s: held up for %.1f s by a liar, and no longer\n", Name, Held);
	}

	/** A world that is left takes its start along; the next one has its own. */
	void StartTravel(uint64 Seed)
	{
		const char* Name = "start, travel";
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 67);
		for (const double Lag : {20.0, 90.0}) { Session.Connect(Session.Add(At(60, -15, 300), Link(Lag, 6, 0.05, 0.02))); }
		Session.Run(6);
		FBegun Old[2], OldServer;
		for (size_t Index = 0; Index < 2; ++Index) { Follow(Old[Index], Session.Peers[Index]->Machine); }
		Follow(OldServer, *Session.Server);
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(StartOf(*Session.Server)->ScheduleStart(1500), Name, "it is wanted");
		Session.Run(1);
		Report::Expect(Old[0].Scheduled == 1 && Old[1].Scheduled == 1, Name, "announced");
		// One of them loads the next world for a while, and is not there yet.
		Session.Peers[1]->LoadSeconds = 3;
		Session.SeamlessTravel();
		FBegun New[2], Server;
		Follow(Server, *Session.Server);
		const double Travelled = FDouble::State.Now;
		// Prepared at once, while the clients are still in the old world.
		Report::Expect(StartOf(*Session.Server)->ScheduleStart(300), Name, "the next world's own");
		bool bFollowed[2] = {false, false};
		for (int32 Step = 0; Step < 2000; ++Step)
		{
			Session.Run(0.005);
			for (size_t Index = 0; Index < 2; ++Index)
			{
				if (Session.Peers[Index]->bTravelled && !bFollowed[Index])
				{
					bFollowed[Index] = true;
					Follow(New[Index], Session.Peers[Index]->Machine);
				}
			}
		}
		const int64 Instant = StartOf(*Session.Server)->GetStartStatus().AtTicks;
		Report::Expect(OldServer.Times == 0 && Old[0].Times == 0 && Old[1].Times == 0, Name, "what the old world had announced does not begin");
		Promised(Name, Session, *Session.Server, Server, Instant);
		for (size_t Index = 0; Index < 2; ++Index) { Promised(Name, Session, Session.Peers[Index]->Machine, New[Index], Instant); }
		Report::Expect(StartOf(*Session.Server)->GetStartResult().Started == 2, Name, "all begin in the new one");
		Report::Expect(Old[1].Scheduled == 1 && New[1].Scheduled == 1 && AfterMs(Session, Travelled, Instant) < -3000, Name, "who loads it holds it up, and hears of it there");
		Session.Peers[1]->LoadSeconds = 0;

		// Into a world that prepares nothing: nothing of the last one is told there.
		Session.SeamlessTravel();
		Session.Run(0.5);
		FBegun Last[2];
		for (size_t Index = 0; Index < 2; ++Index) { Follow(Last[Index], Session.Peers[Index]->Machine); }
		Session.Run(8);
		Report::Expect(Last[0].Times == 0 && Last[1].Times == 0 && New[0].Times == 1 && New[1].Times == 1, Name, "and none where none was scheduled");

		// Another connection to the same world of the same server: it is told that it began, as anybody who joins late.
		Session.Server->Enter(FDouble::State.Now);
		Report::Expect(StartOf(*Session.Server)->ScheduleStart(), Name, "once more");
		Session.Run(3);
		FPeer& Back = *Session.Peers[0];
		Report::Expect(Last[0].Times == 1, Name, "begun");
		Session.Disconnect(Back);
		Session.Run(2);
		Session.Connect(Back);
		FBegun Again;
		Follow(Again, Back.Machine);
		Session.Run(5);
		Report::Expect(Again.Times == 1 && Again.LatenessMs > 1500, Name, "who comes back is told of it: " + std::to_string(Again.LatenessMs) + " ms ago");
	}
}
