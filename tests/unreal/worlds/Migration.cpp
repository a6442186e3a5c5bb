// When the host leaves, time continues on all machines, or they report why it does not.
#include "NetClock/Peers/NetClockHandover.h"
#include "Scenarios.h"

namespace Scenarios
{
	using EResult = ENetClockContinuation;

	static UNetClockHandover& HandoverOf(const FMachine& Machine)
	{
		return *Machine.Get<UNetClockHandover>();
	}

	/** Compares every frame of a machine with the first server's clock, which only the test can read. */
	struct FWatched
	{
		int32 Frames = 0, OfThisServer = 0, Hosting = 0, Unsynced = 0, Backwards = 0, OutsideOld = 0;
		int32 Discontinuities = 0, Decisions = 0;
		EResult Decision = EResult::None;
		double DispersionMs = -1;
		int64 Last = INT64_MIN;

		void Hear(const FMachine& Machine)
		{
			HandoverOf(Machine).OnContinuationDecided.AddLambda(
				[this](EResult Result, double Ms)
				{
					++Decisions;
					Decision = Result;
					DispersionMs = Ms;
				});
		}
	};

	struct FMatch : FSession
	{
		FMatch(FMachineSettings Settings, ENetMode Mode, uint64 Seed, FMachineClock InOld) :
			FSession(Settings, Mode, Seed), Old(InOld)
		{
		}

		/** Creates three clients that are in sync with the first server and lose 1 % of their packets. */
		FMatch(ENetMode Mode, uint64 Seed) : FMatch(First, Mode, Seed, {5000, 20})
		{
			Join(At(60, -15, 300), {Way(20), Way(20)});
			Join(At(144, 30, 90000), {Way(35), Way(20)});
			Join(At(31.3, -40, 7), {Way(60), Way(45)});
			Run(15);
			Timescale = HandoverOf(*Server).GetTimeAuthority().Timescale;
			for (size_t Index = 0; Index < 3; ++Index) { Watched[Index].Hear(Machine(Index)); }
		}

		static FDirection Way(double LagMs) { return {LagMs, 4, 0.01, 0.01}; }
		FMachine& Machine(size_t Index) const { return Peers[Index]->Machine; }
		int64 ServedEpoch() const { return Server->Get<UNetClockSession>()->GetServerEpoch(); }

		EResult Keep(size_t Index) const
		{
			Machine(Index).Enter();
			return HandoverOf(Machine(Index)).ContinueTimeOfPreviousServer();
		}

		void Watch(FMachine& Machine, FWatched& Seen)
		{
			Machine.AlsoAtEnd([this, &Machine, &Seen]() { Look(Machine, Seen); });
			Machine.Get<UNetClockSubsystem>()->OnDiscontinuity.AddLambda(
				[&Seen](ENetClockCause, double) { ++Seen.Discontinuities; });
		}

		void Rejoin(size_t From)
		{
			for (size_t Index = From; Index < 3; ++Index)
			{
				Connect(*Peers[Index]);
				Watch(Machine(Index), Watched[Index]);
			}
		}

		void Look(const FMachine& Machine, FWatched& Seen) const
		{
			const FNetClockStatus Status = Machine.Get<UNetClockSubsystem>()->GetStatus();
			if (!Status.bIsSynced)
			{
				++Seen.Unsynced;
				return;
			}
			++Seen.Frames;
			const double Shown = static_cast<double>(Status.ServerTicks);
			const double OldMs = FMath::Abs(Shown - Old.At(Machine.TickStart) * 1e7) * 1e-4;
			// Both sides round their clocks down, so allow two ticks.
			const double BoundMs =
				Status.ErrorBoundMs + 2e-4 + HandoverOf(Machine).GetTimeAuthority().DispersionMs;
			const bool bOfThisServer = Status.ServerEpoch == ServedEpoch();
			Seen.OfThisServer += bOfThisServer ? 1 : 0;
			Seen.Hosting += bOfThisServer && Machine.World->GetNetMode() != NM_Client ? 1 : 0;
			Seen.OutsideOld += OldMs > BoundMs ? 1 : 0;
			Seen.Backwards += Status.ServerTicks < Seen.Last ? 1 : 0;
			Seen.Last = Status.ServerTicks;
		}

		void Kept(size_t Index) const
		{
			const FWatched& Seen = Watched[Index];
			const std::string Who = "machine " + std::to_string(Index) + ": ";
			Expect(Seen.Frames > 500, Who + "frames with a time", Seen.Frames);
			Expect(Seen.OfThisServer > 400, Who + "frames with the new server's time", Seen.OfThisServer);
			ExpectNone(Seen.Unsynced, "frames without a time", Who);
			ExpectNone(Seen.Backwards, "frames backwards", Who);
			ExpectNone(Seen.OutsideOld, "frames outside bound and dispersion of the old time", Who);
			ExpectNone(Seen.Discontinuities, "discontinuities were reported", Who);
		}

		void Decided(std::initializer_list<EResult> Wanted) const
		{
			const FWatched* Seen = Watched;
			for (const EResult Each : Wanted)
			{
				Expect(
					Seen->Decision == Each, "the decision is reported", static_cast<int>(Seen->Decision));
				Expect(Seen->Decisions == (Each == EResult::None ? 0 : 1), "once", Seen->Decisions);
				++Seen;
			}
		}

		static inline const FMachineSettings First = At(60, 20, 5000);
		/** The clock of the first server, or of the source from which all servers take their time. */
		const FMachineClock Old;
		int64 Timescale = 0;
		FWatched Watched[3];
	};

	/** A client that knows the time takes over from the host. */
	SCENARIO(MigrationGoesOn, Always)
	{
		FMatch Match(NM_ListenServer, Seed + 70);
		Expect(Match.Timescale != 0 && Match.Timescale == Match.ServedEpoch(),
			"the first server has its own timescale");
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Expect(Match.Keep(Index) == EResult::Kept, "the client keeps the time");
		}
		Match.LoseServer();
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Match.Watch(Match.Machine(Index), Match.Watched[Index]);
		}
		Match.Run(2);
		Match.Promote(*Match.Peers[0], NM_ListenServer);
		Match.Watch(*Match.Server, Match.Watched[0]);
		Match.Run(0.7);
		// Some replies arrive before the new server's authority does.
		for (const auto& Peer : Match.Peers) { Peer->Link.Down.Loss = 0.5; }
		Match.Rejoin(1);
		static_cast<void>(ExchangeOverOwnTransport(Match.Machine(1), *Match.Server, 0.0005));
		Match.Run(0.5);
		for (const auto& Peer : Match.Peers) { Peer->Link.Down.Loss = 0.01; }
		Match.Run(14.5);
		Match.Decided({EResult::Continued, EResult::Followed, EResult::Followed});
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Match.Machine(Index).Enter();
			const FNetClockAuthority Authority = HandoverOf(Match.Machine(Index)).GetTimeAuthority();
			Match.Kept(Index);
			Expect(Authority.Timescale == Match.Timescale && Authority.ServerEpoch == Match.ServedEpoch(),
				"the new server continues the old timescale");
			ExpectIn(Match.Watched[Index].DispersionMs, 0.001, 60, "the reported dispersion, in ms");
			if (Index > 0) { Promises(*Match.Peers[Index]); }
		}
		Expect(Match.Watched[0].Hosting > 900, "frames of the new host", Match.Watched[0].Hosting);
	}

	/** The new host does not know the time, and one of the players did not ask to keep it. */
	SCENARIO(MigrationRefused, Always)
	{
		FMatch Match(NM_ListenServer, Seed + 74);
		Expect(Match.Keep(0) == EResult::Kept && Match.Keep(1) == EResult::Kept, "two clients keep the time");
		const int64 OldEpoch = Match.Peers[1]->Clock()->GetStatus().ServerEpoch;
		Match.LoseServer();
		FPeer& Stranger = Match.Add(At(60, -30, 40), {Match.Way(20), Match.Way(20)});
		Stranger.bAlone = true;
		UNetClockHandover& Handover = HandoverOf(Stranger.Machine);
		Expect(Match.Keep(3) == EResult::NotSynced && Handover.GetContinuation() == EResult::NotSynced,
			"a machine without a time reports it");
		Match.Promote(Stranger, NM_ListenServer);
		Match.Run(0.5);
		Match.Rejoin(0);
		Match.Run(15);
		ExpectNear(Match.ServerTicksAt(5), Match.Server->Clock.At(5) * 1e7, 1, "the host's own time");
		Expect(Match.Server->Get<UNetClockSubsystem>()->GetStatus().ErrorBoundMs <= 0, "exact");
		Match.Decided({EResult::OtherServer, EResult::OtherServer, EResult::None});
		for (size_t Index = 0; Index < 3; ++Index)
		{
			const FPeer& Peer = *Match.Peers[Index];
			Promises(Peer);
			Expect(Peer.Clock()->GetStatus().ServerEpoch != OldEpoch && Peer.Judged.Synced == 1,
				"the clock is an ordinary new one");
			Expect(Match.Watched[Index].Discontinuities == 1, "reported once");
			const std::vector<ENetClockCause>& Causes = Peer.Judged.Causes;
			Expect(!Causes.empty() && Causes[0] == ENetClockCause::NewConnection, "caused by a connection");
		}
		Expect(Handover.ContinueTimeOfPreviousServer() == EResult::TooLate, "too late");
		Expect(Handover.TakeTimeFrom(5, 6, 1) == EResult::TooLate, "a running server cannot take a time");
	}

	/** A match moves between servers of a fleet that all take their time from one source. */
	SCENARIO(MigrationOfFleet, Always)
	{
		const int64 Timescale = 77;
		FMatch Match(At(60, 40, 5000), NM_DedicatedServer, Seed + 76, FMachineClock{1.7e9, 2});
		const auto TakeTicks = [&](int64 Ticks, double BoundMs)
		{ return HandoverOf(*Match.Server).TakeTimeFrom(Timescale, Ticks, BoundMs); };
		// Readings of the source have an error, which stays within the stated bound.
		const auto Take = [&](double ErrorMs)
		{
			const double Ticks = Match.Old.At(FDouble::State.Now) * 1e7 + ErrorMs * 1e4;
			return TakeTicks(static_cast<int64>(Ticks), 0.5);
		};
		Expect(Take(0.3) == EResult::Continued, "taken");
		FPeer& Peer = Match.Join(At(60, -15, 300), {Match.Way(20), Match.Way(30)});
		Match.Run(5);
		FWatched& Watched = Match.Watched[0];
		Watched.Hear(Peer.Machine);
		Match.Watch(Peer.Machine, Watched);
		for (int32 Times = 0; Times < 12; ++Times)
		{
			Match.Run(5);
			Expect(Take(Times % 2 ? 0.4 : -0.4) == EResult::Continued, "and again");
		}
		// Both sides allow for a drift of 38 ppm, so the bound grows by twice that over a minute.
		const double DispersionMs = HandoverOf(*Match.Server).GetTimeAuthority().DispersionMs;
		ExpectIn(DispersionMs, 1.9, 5, "the dispersion covers the drift of the crystals");
		Expect(TakeTicks(INT64_MAX, 1) == EResult::OutOfRange, "no time");
		Expect(TakeTicks(5, 1) == EResult::OutOfRange, "an error beyond the dispersion's range is rejected");
		Expect(TakeTicks(5, -1) == EResult::OutOfRange && TakeTicks(5, std::nan("")) == EResult::OutOfRange,
			"no bound");
		Expect(Match.Keep(0) == EResult::Kept, "kept");
		Match.RestartServer(At(30, -35, 80000));
		Expect(Take(-0.3) == EResult::Continued, "the next server continues the time, too");
		Match.Connect(Peer);
		Match.Watch(Peer.Machine, Watched);
		Match.Run(20);
		Match.Kept(0);
		Match.Decided({EResult::Followed});
		Promises(Peer);
		// A client that does not keep the time starts a new clock. It still learns the source of the server's
		// time.
		Match.RestartServer(At(60, 10, 5));
		Match.Connect(Peer);
		Match.Run(5);
		Match.RestartServer(At(60, 25, 600));
		static_cast<void>(Take(0.1));
		Match.Connect(Peer);
		Match.Run(3);
		Peer.Machine.Enter();
		Expect(Peer.Clock()->IsSynced() && HandoverOf(Peer.Machine).GetTimeAuthority().Timescale == Timescale,
			"the reported dispersion");
	}
}
