// The host leaves and another machine takes over: the time goes on for everybody, or it is said why not.
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Peers/NetClockHandover.h"
#include "Scenarios.h"

namespace Scenarios
{
static UNetClockHandover* HandoverOf(const FMachine& Machine)
{
	return Machine.Game->GetSubsystem<UNetClockHandover>();
}

	static FDirection Way(double LagMs, double Loss) { return {LagMs, 4, Loss, 0.01}; }

	/** What one machine shows in every frame, through all its worlds, beside the clock of the first server,
	 * which only the test still knows. */
	struct FWatched
	{
		int32 Frames = 0, OfThisServer = 0, Hosting = 0, Unsynced = 0, Backwards = 0, OutsideBound = 0,
			  OutsideOld = 0, Discontinuities = 0;
		/** Of all decisions here, and what the newest one said. */
		int32 Decisions = 0;
		ENetClockContinuation Decision = ENetClockContinuation::None;
		double DispersionMs = -1, WorstOldMs = 0, LargestOldMs = 0;
		int64 Last = INT64_MIN;
	};

	static void Look(
		const FSession& Session, const FMachine& Machine, const FMachineClock& Old, FWatched& Watched)
	{
		const UNetClockSubsystem* Clock = Machine.World->GetSubsystem<UNetClockSubsystem>();
		const FNetClockStatus Status = Clock->GetStatus();
		if (!Status.bIsSynced)
		{
			++Watched.Unsynced;
			return;
		}
		++Watched.Frames;
		const ENetMode Mode = Machine.World->GetNetMode();
		const double Shown = static_cast<double>(Status.ServerTicks);
		const double OldMs = FMath::Abs(Shown - Old.At(Machine.TickStart) * 1e7) * 1e-4;
		// Two ticks for rounding down the clocks of both sides.
		const double BoundMs = Status.ErrorBoundMs + 2e-4;
		const double OldBoundMs = BoundMs + HandoverOf(Machine)->GetTimeAuthority().DispersionMs;
		if (Status.ServerEpoch == Session.Server->Game->GetSubsystem<UNetClockSession>()->GetServerEpoch())
		{
			++Watched.OfThisServer;
			Watched.Hosting += Mode == NM_Client ? 0 : 1;
			Watched.OutsideBound +=
				FMath::Abs(Shown - Session.ServerTicksAt(Machine.TickStart)) * 1e-4 > BoundMs ? 1 : 0;
		}
		Watched.OutsideOld += OldMs > OldBoundMs ? 1 : 0;
		Watched.WorstOldMs = FMath::Max(Watched.WorstOldMs, OldMs);
		Watched.LargestOldMs = FMath::Max(Watched.LargestOldMs, OldBoundMs);
		Watched.Backwards += Status.ServerTicks < Watched.Last ? 1 : 0;
		Watched.Last = Status.ServerTicks;
	}

	/** From now on, in the world that is open now. */
	static void Watch(const FSession& Session, FMachine& Machine, const FMachineClock& Old, FWatched& Watched)
	{
		const auto Before = Machine.OnEnd;
		Machine.OnEnd = [Before, &Session, &Machine, Old, &Watched]()
		{
			if (Before) { Before(); }
			Look(Session, Machine, Old, Watched);
		};
		Machine.World->GetSubsystem<UNetClockSubsystem>()->OnDiscontinuity.AddLambda(
			[&Watched](ENetClockCause, double) { ++Watched.Discontinuities; });
	}

	static void HearDecisions(const FMachine& Machine, FWatched& Watched)
	{
		HandoverOf(Machine)->OnContinuationDecided.AddLambda(
			[&Watched](ENetClockContinuation Result, double DispersionMs)
			{
				++Watched.Decisions;
				Watched.Decision = Result;
				Watched.DispersionMs = DispersionMs;
			});
	}

	static void Kept(size_t Who, const FWatched& Watched)
	{
		const std::string Machine = "machine " + std::to_string(Who) + ": ";
		Expect(Watched.Frames > 500,
			Machine + "a time is shown in " + std::to_string(Watched.Frames) + " frames only");
		Expect(Watched.OfThisServer > 400,
			Machine + "the new server's in " + std::to_string(Watched.OfThisServer) + " frames only");
		ExpectNone(Watched.Unsynced, "frames without a time", Machine);
		ExpectNone(Watched.Backwards, "frames backwards", Machine);
		ExpectNone(Watched.OutsideBound, "frames outside the bound of the server's time", Machine);
		ExpectNone(Watched.OutsideOld, "frames outside bound and dispersion of the old time", Machine);
		ExpectNone(Watched.Discontinuities, "discontinuities are told", Machine);
	}

	/** A listen server and three clients with 1 % loss, in sync. */
	static void Begin(FSession& Session, double FirstUpMs = 20)
	{
		Session.Join(At(60, -15, 300), {Way(FirstUpMs, 0.01), Way(20, 0.01)});
		Session.Join(At(144, 30, 90000), {Way(35, 0.01), Way(20, 0.01)});
		Session.Join(At(31.3, -40, 7), {Way(60, 0.01), Way(45, 0.01)});
		Session.Run(15);
	}

	/** The host leaves twice; each time a client takes over, knowing the time by itself. */
	SCENARIO(MigrationGoesOn, Always)
	{
		FSession Session(At(60, 20, 5000), NM_ListenServer, Seed + 70);
		Begin(Session);
		const FMachineClock Old = Session.Server->Clock;
		const int64 Timescale = HandoverOf(*Session.Server)->GetTimeAuthority().Timescale;
		Expect(Timescale != 0 &&
				Timescale == Session.Server->Game->GetSubsystem<UNetClockSession>()->GetServerEpoch(),
			"a first server is its own timescale");
		FWatched Watched[4];
		for (size_t Index = 0; Index < 3; ++Index)
		{
			HearDecisions(Session.Peers[Index]->Machine, Watched[Index]);
		}
		for (size_t Index = 0; Index < Session.Peers.size(); ++Index)
		{
			FMachine& Machine = Session.Peers[Index]->Machine;
			Machine.Enter(FDouble::State.Now);
			Watched[Index].Decision = HandoverOf(Machine)->ContinueTimeOfPreviousServer();
			Expect(Watched[Index].Decision == ENetClockContinuation::Kept, "the time is kept");
		}
		Session.LoseServer();
		for (size_t Index = 0; Index < Session.Peers.size(); ++Index)
		{
			Watch(Session, Session.Peers[Index]->Machine, Old, Watched[Index]);
		}
		Session.Run(2);
		Session.Promote(*Session.Peers[0], NM_ListenServer);
		Watch(Session, *Session.Server, Old, Watched[0]);
		Session.Run(0.7);
		for (size_t Index = 1; Index < Session.Peers.size(); ++Index)
		{
			Session.Connect(*Session.Peers[Index]);
			Watch(Session, Session.Peers[Index]->Machine, Old, Watched[Index]);
		}
		Session.Run(15);
		for (size_t Index = 0; Index < Session.Peers.size(); ++Index)
		{
			const bool bHost = Index == 0;
			Session.Peers[Index]->Machine.Enter(FDouble::State.Now);
			const FNetClockAuthority Authority =
				HandoverOf(Session.Peers[Index]->Machine)->GetTimeAuthority();
			Kept(Index, Watched[Index]);
			Expect(Watched[Index].Decision ==
					(bHost ? ENetClockContinuation::Continued : ENetClockContinuation::Followed),
				"it is told what became of it");
			Expect(Authority.Timescale == Timescale &&
					Authority.ServerEpoch ==
						Session.Server->Game->GetSubsystem<UNetClockSession>()->GetServerEpoch(),
				"the new server, the old timescale");
			Expect(Watched[Index].DispersionMs > 0 && Watched[Index].DispersionMs < 60,
				"the dispersion is told: " + std::to_string(Watched[Index].DispersionMs));
		}
		Expect(Watched[0].Hosting > 900, "the host was watched as one");
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Expect(Watched[Index].Decisions == 1, "it is told once");
		}
		for (size_t Index = 1; Index < 3; ++Index) { Promises(*Session.Peers[Index]); }
		std::printf(
			"    migration: old time continued within %.2f, %.2f, %.2f ms (promised %.1f, %.1f, %.1f)\n",
			Watched[0].WorstOldMs, Watched[1].WorstOldMs, Watched[2].WorstOldMs, Watched[0].LargestOldMs,
			Watched[1].LargestOldMs, Watched[2].LargestOldMs);
	}

	/** All players keep the time, the old server ends, and what comes is the given one, which asks them. */
	static void AskAll(FSession& Session, FMachineSettings Settings, int64 Timescale,
		const FMachineClock& Old, FWatched (&Watched)[4])
	{
		for (size_t Index = 0; Index < 3; ++Index)
		{
			FMachine& Machine = Session.Peers[Index]->Machine;
			Machine.Enter(FDouble::State.Now);
			static_cast<void>(HandoverOf(Machine)->ContinueTimeOfPreviousServer());
			HearDecisions(Machine, Watched[Index]);
		}
		Session.RestartServer(Settings);
		HearDecisions(*Session.Server, Watched[3]);
		static_cast<void>(HandoverOf(*Session.Server)->ContinueTimeWithPlayers(Timescale, 3, 1, 5.0));
		Watch(Session, *Session.Server, Old, Watched[3]);
		Session.Run(0.5);
		Expect(
			Watched[3].Unsynced > 20 && HandoverOf(*Session.Server)->IsAsking(), "nobody knows the time yet");
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Session.Connect(*Session.Peers[Index]);
			Watch(Session, Session.Peers[Index]->Machine, Old, Watched[Index]);
		}
		Session.Run(15);
	}

	/** A dedicated server that knows nothing asks three players, of whom one or two lie. */
	SCENARIO(MigrationAsksPlayers, Always)
	{
		for (const bool bTwoLie : {false, true})
		{
			Report::Scenario = bTwoLie ? "migration, two of three lie" : "migration, one of three lies";
			FSession Session(At(60, 20, 5000), NM_DedicatedServer, Seed + 72);
			Begin(Session);
			const FMachineClock Old = Session.Server->Clock;
			const int64 Timescale = HandoverOf(*Session.Server)->GetTimeAuthority().Timescale;
			FWatched Watched[4];
			// Whose machine was set after it was in sync says so much more.
			Session.Peers[2]->Machine.Clock.Origin += 3;
			Session.Peers[1]->Machine.Clock.Origin -= bTwoLie ? 0.5 : 0;
			AskAll(Session, At(60, -25, 77), Timescale, Old, Watched);
			const FNetClockAuthority Served = HandoverOf(*Session.Server)->GetTimeAuthority();
			const double OffMs =
				(Session.ServerTicksAt(FDouble::State.Now) - Old.At(FDouble::State.Now) * 1e7) * 1e-4;
			Expect(Watched[3].Decisions == 1, "it is decided once");
			if (bTwoLie)
			{
				Expect(Watched[3].Decision == ENetClockContinuation::NoAgreement,
					"too many lie, and it is said");
				Expect(Served.Timescale == Served.ServerEpoch && Served.Timescale != Timescale,
					"the server has a time of its own");
				for (size_t Index = 0; Index < 3; ++Index)
				{
					Expect(Watched[Index].Decision == ENetClockContinuation::OtherServer &&
							Watched[Index].Discontinuities == 1,
						"all are told of another server");
					Promises(*Session.Peers[Index]);
				}
				continue;
			}
			Expect(Watched[3].Decision == ENetClockContinuation::Continued, "two agree");
			Expect(Served.Timescale == Timescale && FMath::Abs(OffMs) <= Served.DispersionMs &&
					Served.DispersionMs < 150,
				"within its dispersion: " + std::to_string(OffMs) + " of " +
					std::to_string(Served.DispersionMs));
			Expect(Watched[3].OutsideOld == 0 && Watched[3].Backwards == 0, "in every frame");
			for (size_t Index = 0; Index < 2; ++Index)
			{
				Kept(Index, Watched[Index]);
				Expect(
					Watched[Index].Decision == ENetClockContinuation::Followed, "who told the truth goes on");
			}
			Expect(
				Watched[2].Decision == ENetClockContinuation::OtherServer && Watched[2].Discontinuities > 0,
				"who lied begins anew");
			Expect(Session.Peers[2]->Judged.NetClock.Quantile(0.99) < 10, "and is right in the end");
			std::printf("    %s: off the old time by %.2f ms, %.1f promised, after %.0f ms of asking\n",
				Report::Scenario.c_str(), OffMs, Served.DispersionMs,
				static_cast<double>(Watched[3].Unsynced) * 1000 / 60 - 500);
		}

		// A host that knows the time itself, and has it confirmed; a liar does not change its mind. Its clock
		// is ahead by half of what its ways differed, which the others know better: still its time does not
		// go back.
		FSession Session(At(60, 20, 5000), NM_ListenServer, Seed + 73);
		Begin(Session, 60);
		const FMachineClock Old = Session.Server->Clock;
		FWatched Watched[3];
		for (size_t Index = 0; Index < 3; ++Index)
		{
			FMachine& Machine = Session.Peers[Index]->Machine;
			Machine.Enter(FDouble::State.Now);
			HearDecisions(Machine, Watched[Index]);
			Expect((Index == 0 ? HandoverOf(Machine)->ContinueTimeWithPlayers(0, 2)
							   : HandoverOf(Machine)->ContinueTimeOfPreviousServer()) ==
					ENetClockContinuation::Kept,
				"kept");
		}
		const double OwnMs = Session.Peers[0]->Clock()->GetErrorBoundMs();
		Session.LoseServer();
		Session.Peers[2]->Machine.Clock.Origin += 3;
		Session.Promote(*Session.Peers[0], NM_ListenServer);
		Watch(Session, *Session.Server, Old, Watched[0]);
		for (size_t Index = 1; Index < 3; ++Index)
		{
			Session.Connect(*Session.Peers[Index]);
			Watch(Session, Session.Peers[Index]->Machine, Old, Watched[Index]);
		}
		Session.Run(15);
		Kept(0, Watched[0]);
		Kept(1, Watched[1]);
		Expect(Watched[0].Decision == ENetClockContinuation::Continued &&
				Watched[1].Decision == ENetClockContinuation::Followed,
			"it goes on");
		Expect(Watched[2].Decision == ENetClockContinuation::OtherServer, "without the liar");
		Expect(Watched[0].DispersionMs < OwnMs + 1,
			"no worse than what the host knew: " + std::to_string(Watched[0].DispersionMs) + " of " +
				std::to_string(OwnMs));
	}

	/** A host that knows no time, players that are not there, calls that make no sense or come too late. */
	SCENARIO(MigrationRefused, Always)
	{
		FSession Session(At(60, 20, 5000), NM_ListenServer, Seed + 74);
		Begin(Session);
		FWatched Watched[4];
		for (size_t Index = 0; Index < 3; ++Index)
		{
			FMachine& Machine = Session.Peers[Index]->Machine;
			Machine.Enter(FDouble::State.Now);
			// One does not ask for it.
			if (Index != 2) { static_cast<void>(HandoverOf(Machine)->ContinueTimeOfPreviousServer()); }
			HearDecisions(Machine, Watched[Index]);
		}
		const int64 OldEpoch = Session.Peers[1]->Clock()->GetStatus().ServerEpoch;
		Session.LoseServer();
		FPeer& Stranger = Session.Add(At(60, -30, 40), {Way(20, 0.01), Way(20, 0.01)});
		Stranger.bAlone = true;
		UNetClockHandover* Handover = HandoverOf(Stranger.Machine);
		HearDecisions(Stranger.Machine, Watched[3]);
		Stranger.Machine.Enter(FDouble::State.Now);
		Expect(Handover->ContinueTimeOfPreviousServer() == ENetClockContinuation::NotSynced &&
				Handover->GetContinuation() == ENetClockContinuation::NotSynced,
			"it knows no time, and is told so");
		Expect(Handover->ContinueTimeWithPlayers(0, 3) == ENetClockContinuation::NotSynced,
			"nor which to ask for");
		Session.Promote(Stranger, NM_ListenServer);
		Session.Run(0.5);
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Session.Connect(*Session.Peers[Index]);
			Watch(Session, Session.Peers[Index]->Machine, Session.Server->Clock, Watched[Index]);
		}
		Session.Run(15);
		const UNetClockSubsystem* Host = Session.Server->World->GetSubsystem<UNetClockSubsystem>();
		Expect(FMath::Abs(Session.ServerTicksAt(5) - Session.Server->Clock.At(5) * 1e7) < 1 &&
				Host->GetErrorBoundMs() <= 0,
			"the host's own time");
		for (size_t Index = 0; Index < 3; ++Index)
		{
			const FPeer& Peer = *Session.Peers[Index];
			Promises(Peer);
			Expect(Peer.Clock()->GetStatus().ServerEpoch != OldEpoch && Peer.Judged.Synced == 1,
				"an ordinary new clock");
			Expect(Watched[Index].Decision ==
					(Index == 2 ? ENetClockContinuation::None : ENetClockContinuation::OtherServer),
				"who kept the time is told");
			Expect(
				Watched[Index].Discontinuities == 1 && Peer.Judged.Causes[0] == ENetClockCause::NewConnection,
				"of a new connection, once");
		}
		Expect(Handover->ContinueTimeWithPlayers(5, 3) == ENetClockContinuation::TooLate &&
				Handover->TakeTimeFrom(5, 6, 1) == ENetClockContinuation::TooLate,
			"too late");

		// Nobody comes, or nobody knows.
		FSession Other(At(60, 20, 5000), NM_DedicatedServer, Seed + 75);
		UNetClockHandover* Asks = HandoverOf(*Other.Server);
		FWatched Seen;
		HearDecisions(*Other.Server, Seen);
		Other.Server->Enter(FDouble::State.Now);
		for (const int32 Players : {0, 65})
		{
			Expect(Asks->ContinueTimeWithPlayers(9, Players) == ENetClockContinuation::OutOfRange,
				"players out of range");
		}
		for (const int32 Liars : {-1, 32})
		{
			Expect(Asks->ContinueTimeWithPlayers(9, 3, Liars) == ENetClockContinuation::OutOfRange,
				"liars out of range");
		}
		for (const double Seconds : {0.0, 61.0, std::nan("")})
		{
			Expect(Asks->ContinueTimeWithPlayers(9, 3, 1, Seconds) == ENetClockContinuation::OutOfRange,
				"patience out of range");
		}
		Expect(Asks->ContinueTimeWithPlayers(9, 3, 1, 4) == ENetClockContinuation::Asking &&
				Asks->ContinueTimeWithPlayers(9, 3) == ENetClockContinuation::TooLate,
			"asked for once");
		Expect(!Other.Server->World->GetSubsystem<UNetClockStart>()->ScheduleStart(),
			"no start while nobody knows the time");
		FPeer& Fresh = Other.Add(At(60, 5, 60), Link(20, 3, 0.01, 0.01));
		Other.Connect(Fresh);
		Other.Run(3.5);
		Expect(Asks->IsAsking() && !Fresh.Clock()->IsSynced() && Fresh.Component() &&
				Fresh.Component()->GetCounts().Sent > 5,
			"a fresh player gets no time meanwhile");
		Other.Run(6);
		Expect(Seen.Decisions == 1 && Seen.Decision == ENetClockContinuation::TooFew, "too few");
		Other.Run(10);
		Promises(Fresh);
		Expect(Other.Server->World->GetSubsystem<UNetClockStart>()->ScheduleStart(),
			"now there is a time to start by");
	}

	/** Servers of a fleet take their time from one source; a match moves from one to the other. */
	SCENARIO(MigrationOfFleet, Always)
	{
		const FMachineClock Source{1.7e9, 2};
		const int64 Timescale = 77;
		FSession Session(At(60, 40, 5000), NM_DedicatedServer, Seed + 76);
		// The source is read with an error that its bound allows for.
		const auto Take = [&](double ErrorMs)
		{
			return HandoverOf(*Session.Server)
				->TakeTimeFrom(
					Timescale, static_cast<int64>(Source.At(FDouble::State.Now) * 1e7 + ErrorMs * 1e4), 0.5);
		};
		Expect(Take(0.3) == ENetClockContinuation::Continued, "taken");
		FPeer& Peer = Session.Join(At(60, -15, 300), {Way(20, 0.01), Way(30, 0.01)});
		Session.Run(5);
		FWatched Watched;
		HearDecisions(Peer.Machine, Watched);
		Watch(Session, Peer.Machine, Source, Watched);
		for (int32 Times = 0; Times < 12; ++Times)
		{
			Session.Run(5);
			Expect(Take(Times % 2 ? 0.4 : -0.4) == ENetClockContinuation::Continued, "and again");
		}
		// A minute of 38 ppm, known to both.
		const double DispersionMs = HandoverOf(*Session.Server)->GetTimeAuthority().DispersionMs;
		Expect(DispersionMs > 1.9 && DispersionMs < 5,
			"what the crystals are apart is stated: " + std::to_string(DispersionMs));
		Expect(HandoverOf(*Session.Server)->TakeTimeFrom(Timescale, INT64_MAX, 1) ==
				ENetClockContinuation::OutOfRange,
			"no time");
		Expect(
			HandoverOf(*Session.Server)->TakeTimeFrom(Timescale, 5, 1) == ENetClockContinuation::OutOfRange,
			"too far off to be stated");
		Expect(HandoverOf(*Session.Server)->TakeTimeFrom(Timescale, 5, -1) ==
					ENetClockContinuation::OutOfRange &&
				HandoverOf(*Session.Server)->TakeTimeFrom(Timescale, 5, std::nan("")) ==
					ENetClockContinuation::OutOfRange,
			"no bound");
		Peer.Machine.Enter(FDouble::State.Now);
		Expect(
			HandoverOf(Peer.Machine)->ContinueTimeOfPreviousServer() == ENetClockContinuation::Kept, "kept");
		Session.RestartServer(At(30, -35, 80000));
		Expect(Take(-0.3) == ENetClockContinuation::Continued, "the next server takes it, too");
		Session.Connect(Peer);
		Watch(Session, Peer.Machine, Source, Watched);
		Session.Run(20);
		Kept(0, Watched);
		Expect(Watched.Decision == ENetClockContinuation::Followed && Watched.Decisions == 1,
			"another server, the same time");
		Promises(Peer);
		// Who comes from elsewhere, and keeps nothing, begins a clock that knows whose time it shows.
		Session.RestartServer(At(60, 10, 5));
		Session.Connect(Peer);
		Session.Run(5);
		Session.RestartServer(At(60, 25, 600));
		static_cast<void>(Take(0.1));
		Session.Connect(Peer);
		Session.Run(3);
		Peer.Machine.Enter(FDouble::State.Now);
		Expect(
			Peer.Clock()->IsSynced() && HandoverOf(Peer.Machine)->GetTimeAuthority().Timescale == Timescale,
			"as it is told");
		std::printf("    fleet: within %.2f ms of the source (promised %.1f), through two servers\n",
			Watched.WorstOldMs, Watched.LargestOldMs);
	}
}
