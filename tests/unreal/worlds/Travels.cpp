// More of a game's life: travel that drops connections, hosts that leave, machines that sleep, and games that
// use only parts of the plugin.
#include "Misc/CoreDelegates.h"
#include "Scenarios.h"

namespace Scenarios
{
	static int32 TimesHeard(const FPeer& Peer, ENetClockCause Cause)
	{
		int32 Times = 0;
		for (const ENetClockCause Each : Peer.Judged.Causes) { Times += Each == Cause ? 1 : 0; }
		return Times;
	}

	/** The connections are new and the server's clock is the same, so what the client's clock knows about it
	 * still holds. */
	SCENARIO(HardTravel, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 40);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(300);
		Promises(Peer);
		const FNetClockStatus Before = Peer.Clock()->GetStatus();
		Session.HardTravel();
		Session.Run(3);
		Session.Connect(Peer);
		UWorld* World = Peer.Machine.World;
		FNetClockReply Forged;
		Forged.Id = 1;
		Forged.Epoch = Before.ServerEpoch;
		Expect(!UNetClockBlueprintLibrary::HandleClockReply(World, Forged),
			"what answers no request proves nothing");
		Session.Run(0.03);
		Expect(!Peer.Clock()->IsSynced(), "unsynced until it is known whose clock it is");
		Expect(UNetClockBlueprintLibrary::GetServerTimeWithinFrameTicks(World) == 0, "at any moment");
		FNetClockStatus First;
		Peer.Clock()->OnSynced.AddLambda([&]() { First = Peer.Clock()->GetStatus(); });
		Session.Run(15);
		Promises(Peer);
		Expect(TimesHeard(Peer, ENetClockCause::NewConnection) == 1 && Peer.Judged.Synced == 1,
			"a new connection and a sync, each reported once");
		Expect(Peer.Judged.SyncedAfter < 0.4, "synced after (s)", Peer.Judged.SyncedAfter);
		Expect(First.Epoch == Before.Epoch && First.ServerEpoch == Before.ServerEpoch, "the same timeline");
		Expect(First.ErrorBoundMs < Before.ErrorBoundMs + 2, "the bound of before (ms)", First.ErrorBoundMs);
		// The crystals differ by 25 ppm. After a minute, frame waits still hide this from some clocks, so the
		// session ran for five minutes. A new clock alone would not know it yet.
		ExpectNear(First.FrequencyPpm, 25, 8, "the frequency is known, which a new clock would not (ppm)");
		std::printf("    travel: synced %.2f s after connecting, with a bound of %.1f ms (%.1f before) and "
					"%.1f ppm (%.1f)\n",
			Peer.Judged.SyncedAfter, First.ErrorBoundMs, Before.ErrorBoundMs, First.FrequencyPpm,
			Before.FrequencyPpm);
	}

	/** Replies during a download are late, so the clock slews for seconds afterwards. The game can step it
	 * instead. */
	SCENARIO(LoadingScreenEnds, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 47);
		FPeer& Peer = Session.Add(At(60, -15, 300), Link(25, 4, 0, 0));
		const auto Step = [&Peer]() { Peer.Machine.Enter(); return Peer.Clock()->StepToBestEstimateMs(20); };
		Expect(FMath::Abs(Step()) <= 0, "without a clock there is nothing to step");
		Peer.Link.Down.LagMs += 900;
		Session.Connect(Peer);
		for (int32 Tenth = 0; Tenth < 60; ++Tenth, Peer.Link.Down.LagMs -= 15) { Session.Run(0.1); }
		Session.Run(0.5);
		ExpectIn(Step(), 20, 450, "the clock was behind, and is not any more (ms)");
		Session.Run(0.1);
		Expect(TimesHeard(Peer, ENetClockCause::Requested) == 1, "reported once");
		Expect(FMath::Abs(Step()) <= 0, "nothing is left to step");
		Session.Run(5);
		// A first estimate that is late may be stepped back, which is reported.
		Expect(Peer.Judged.Backwards <= static_cast<int32>(Peer.Judged.Causes.size()),
			"frames backwards without a reported discontinuity", Peer.Judged.Backwards);
		Peer.Judged.Backwards = 0;
		Promises(Peer);
	}

	/** The host leaves. The client plays alone, and joins a different host later. */
	SCENARIO(HostLeaves, Once)
	{
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 41);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(15);
		Promises(Peer);
		int32 Ended = 0;
		Peer.Machine.Get<UNetClockWaits>()->WaitUntilServerTime(
			Peer.Clock()->GetServerTimeTicks() + 1000000000,
			FNetClockWaitDelegate::CreateLambda([&Ended](const FNetClockWaited& Waited)
				{ Ended += Waited.End == ENetClockWaitEnd::WorldEnd ? 1 : 100; }));
		const int32 Calls = Peer.CallsUp;
		Session.LoseServer();
		const FNetClockStatus& Own = Peer.Clock()->GetStatus();
		Expect(Own.bIsSynced && Own.ErrorBoundMs <= 0, "its own clock, at once");
		Session.Run(2);
		const FMachine& Alone = Peer.Machine;
		const double OwnMs = Alone.Clock.At(Alone.TickStart) * 1000;
		ExpectNear(
			static_cast<double>(Peer.Clock()->GetServerTimeTicks()) * 1e-4, OwnMs, 1e-3, "its own time");
		Expect(Peer.CallsUp == Calls, "and it sends no requests");
		Expect(Ended == 1, "the wait has ended");
		Session.RestartServer(At(30, 40, 77));
		Session.Connect(Peer);
		Session.Run(15);
		Promises(Peer);
		Expect(TimesHeard(Peer, ENetClockCause::NewConnection) == 1 && Peer.Judged.Synced == 1,
			"another host: reported once, and synced once");
		Expect(
			Peer.Judged.SyncedAfter < 0.6, "synced with the other host after (s)", Peer.Judged.SyncedAfter);
	}

	/** A split screen whose first player has no component (yet), so the second player's component asks. */
	SCENARIO(FirstPlayerWithout, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 42);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		APlayerController* First = Peer.Machine.World->SpawnDouble<APlayerController>();
		First->Player = NewObject<ULocalPlayer>(Peer.Machine.Game);
		Session.Run(15);
		Expect(Peer.Machine.Game->GetFirstLocalPlayerController() == First, "it is the first one");
		Expect(!First->FindComponentByClass<UNetClockComponent>(), "and has no component");
		Promises(Peer);
		ExpectIn(Peer.Judged.SyncedAfter, 0, 1, "synced within a second");
	}

	/** The client's machine sleeps for 20 s. Meanwhile its clock counts or stands still. */
	SCENARIO(Suspend, Once)
	{
		for (const bool bClockCounts : {true, false})
		{
			Report::Scenario =
				bClockCounts ? "sleep with a clock that counts" : "sleep with a clock that does not count";
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 43);
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0, 0));
			Session.Run(15);
			Promises(Peer);
			Peer.Machine.Suspend(20, bClockCounts);
			Session.Run(21);
			// If the clock stood still, the calendar shows it.
			Expect(TimesHeard(Peer, ENetClockCause::LocalGap) == 1, "the gap is declared");
			Expect(TimesHeard(Peer, ENetClockCause::ProvenStep) == 0, "no step has to be proved");
			const int32 Frames = Peer.Judged.Frames;
			Session.Run(10);
			Expect(Peer.Judged.OutsideRealBound == 0 && Peer.Judged.Frames > Frames + 500,
				"no frame is outside the bound after waking up", Peer.Judged.OutsideRealBound);
			Expect(Peer.Clock()->GetStatus().ErrorBoundMs < 100, "and the bound is tight again");
		}
	}

	/** The application returns to the foreground, and the system reports this. */
	SCENARIO(Foreground, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 47);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0, 0));
		Session.Run(15);
		Promises(Peer);
		// Clock and calendar agree, so only the system's report counts.
		Peer.Machine.Suspend(3, true);
		FCoreDelegates::ApplicationHasEnteredForegroundDelegate.Broadcast();
		int32 Doubtful = 0;
		Peer.Machine.AlsoAtEnd([&]()
			{ Doubtful += Peer.Clock()->GetStatus().ErrorBoundMs >= NetClock::UnknownMs ? 1 : 0; });
		Session.Run(4);
		ExpectIn(Doubtful, 3, 15, "frames without a bound, until a reply");
		Expect(TimesHeard(Peer, ENetClockCause::LocalGap) == 1, "it is declared, once");
		Expect(Peer.Judged.OutsideRealBound == 0 && Peer.Clock()->GetStatus().ErrorBoundMs < 100,
			"the bound held, and is tight again (ms)", Peer.Clock()->GetStatus().ErrorBoundMs);
	}

	/** A game that uses the component and the real time, but its own game state. */
	SCENARIO(OtherGameState, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 44);
		Session.GameStateClass = AGameStateBase::StaticClass();
		Session.HardTravel();
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		int32 Reached = 0;
		double ToldMs = 0, BoundMs = 0;
		const AGameStateBase* State = Peer.Machine.World->GetGameState();
		Peer.Machine.Get<UNetClockWaits>()->WaitUntilServerWorldTime(
			static_cast<double>(State->GetServerWorldTimeSeconds()) + 1,
			FNetClockWaitDelegate::CreateLambda(
				[&](const FNetClockWaited& Waited)
				{
					++Reached;
					ToldMs = Waited.ErrorBoundMs;
					BoundMs = Peer.Clock()->GetWorldTimeErrorBoundMs();
				}));
		Session.Run(5);
		Expect(State->GetClass() == AGameStateBase::StaticClass(), "it is the engine's");
		Expect(Peer.Clock()->IsSynced() && Peer.Judged.OutsideRealBound == 0,
			"the real time is known, within its bound");
		const double Truth = Session.Server->WorldTimeAt(Peer.Machine.TickStart);
		const FNetClockWorldReading Reading = Peer.Clock()->GetWorldReading(ENetClockWorldClock::World);
		const double ErrorMs = (Reading.Seconds - Truth) * 1000;
		const double EngineMs = (static_cast<double>(State->GetServerWorldTimeSeconds()) - Truth) * 1000;
		Expect(Peer.Clock()->IsWorldTimeKnown(), "the world time is known");
		Expect(FMath::Abs(ErrorMs) <= Reading.ErrorBoundMs, "within its bound (ms)", ErrorMs);
		Expect(FMath::Abs(ErrorMs) < FMath::Abs(EngineMs) / 3, "better than the engine's (ms)", ErrorMs);
		Expect(EngineMs < -10, "the game state returns the engine's time (ms)", EngineMs);
		Expect(Reached == 1 && ToldMs < NetClock::UnknownMs && FMath::Abs(ToldMs - BoundMs) <= 0,
			"a wait goes by what is known");
	}

	/** Replies leave the server later than their stamps say. */
	SCENARIO(QueuedCalls, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 45);
		Session.bQueueCalls = true;
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(30);
		Promises(Peer);
	}
}
