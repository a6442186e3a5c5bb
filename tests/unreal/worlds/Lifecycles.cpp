// Tests late joins, restarts, travel, departing hosts, sleeping machines, and games with parts of the plugin.
#include <climits>

#include "Engine/Engine.h"
#include "HAL/PlatformTime.h"
#include "Misc/CoreDelegates.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** The static nodes must agree with the subsystem, even on numbers that are not times. */
	static void Nodes(const FPeer& Peer)
	{
		const UWorld* World = Peer.Machine.World;
		const UNetClockSubsystem* Clock = Peer.Clock();
		const int64 Ticks = Clock->GetServerTimeTicks();
		Expect(UNetClockNodes::IsServerTimeSynced(World), "synced");
		Expect(UNetClockNodes::GetServerTimeTicks(World) == Ticks, "the time");
		const FNetClockStatus Status = UNetClockNodes::GetClockStatus(World);
		Expect(Status.Quality == ENetClockQuality::Good, "the quality of the clock is good");
		ExpectNear(Status.ErrorBoundMs, Clock->GetStatus().ErrorBoundMs, 0, "the bound");
		ExpectNear(UNetClockNodes::GetServerTimeSeconds(World), static_cast<double>(Ticks) * 1e-7, 1e-6,
			"real time in seconds");
		double AgeSeconds = 0;
		Expect(UNetClockNodes::GetAgeOfServerTime(World, Ticks + 5000000, AgeSeconds), "the age is known");
		ExpectNear(AgeSeconds, -0.5, 1e-6, "the age of a future time");
		const double Shown = World->GetGameState()->GetServerWorldTimeSeconds();
		ExpectNear(UNetClockNodes::GetServerWorldTimeSeconds(World), Shown, 0, "world time");
		Expect(UNetClockNodes::GetServerTimeTicks(Peer.Controller) == Ticks, "any object of a world works");
		Expect(UNetClockNodes::GetServerTimeTicks(nullptr) == 0, "a null object returns zero");
		Expect(UNetClockNodes::SecondsToTicks(-0.25) == -2500000, "seconds to ticks");
		ExpectNear(UNetClockNodes::TicksToSeconds(-25000000), -2.5, 0, "ticks to seconds");
		Expect(UNetClockNodes::SecondsToTicks(std::nan("")) == 0, "NaN converts to zero");
		Expect(UNetClockNodes::SecondsToTicks(HUGE_VAL) == LLONG_MAX, "infinity becomes the maximum");
		Expect(UNetClockNodes::SecondsToTicks(-1e300) == LLONG_MIN, "both ways");
	}

	DUO(LateJoin, Always, Seed + 10)
	{
		FPeer& Late = Session.Add(At(144, 25, 90000), Link(40, 6));
		Session.Run(30);
		Session.Connect(Late);
		Session.Run(15);
		Promises(Peer);
		Promises(Late);
		ExpectIn(Late.Judged.SyncedAfter, 0, 1, "synced within a second");
		Expect(Late.Judged.Synced == 1, "OnSynced was broadcast once");
		Nodes(Late);
		for (const FMachine* Machine : {Session.Server.get(), &Late.Machine})
		{
			Machine->Enter();
			const double Seconds = static_cast<double>(NetClock::LocalTicks()) * 1e-7;
			ExpectNear(Seconds, Machine->Clock.At(FDouble::State.Now), 1e-6, "local time is the library's");
			Expect(FMath::Abs(Seconds - FPlatformTime::Seconds()) > 1000, "and not the engine's");
		}
		const auto Status = [&]() { return Late.Clock()->GetStatus(); };
		Late.Link.Up.Loss = 1;
		Session.Run(30);
		Expect(Status().State == ENetClockState::Holdover, "in holdover");
		Expect(Status().Quality == ENetClockQuality::Fair, "the quality is fair in holdover");
		Late.Machine.Suspend(20, true);
		Session.Run(20.5);
		Expect(Status().ErrorBoundMs >= NetClock::UnknownMs, "there is no bound after a gap");
		Expect(Status().Quality == ENetClockQuality::Poor, "the quality is poor after a gap");
	}

	/** The first sync of each connection is logged. The editor can also show it on the screen. */
	SCENARIO(FirstSync, Tools)
	{
		for (const bool bWanted : {false, true})
		{
			FDouble::CollectAll();
			const FProject Project(bWanted ? "bShowWhenSynced=True" : "");
			std::vector<std::string>& Displayed = FDouble::State.Displayed;
			std::vector<std::pair<float, std::string>>& OnScreen = GEngine->OnScreen;
			Displayed.clear();
			OnScreen.clear();
			FMachineSettings Played = At();
			Played.WorldType = EWorldType::PIE;
			FDuo Session(Seed + 62, Link(25, 4, 0, 0), NM_DedicatedServer, Played);
			FPeer &Peer = Session.Peer, &Game = Session.Join(At(60, 20, 800), Link(25, 4, 0, 0));
			Expect(Displayed.empty(), "nothing is logged before the first sync");
			Session.RunUntil([&]() { return Peer.Clock()->IsSynced() && Game.Clock()->IsSynced(); });
			Session.Run(0.5);
			Expect(Displayed.size() == 2, "each client logs a line", Displayed.size());
			int32 Named = 0;
			for (const std::string& Line : Displayed)
			{
				double BoundMs = 0;
				const bool bRead = std::sscanf(Line.c_str(),
									   "NetClock: synced with the server, within %lf ms", &BoundMs) == 1;
				Expect(bRead && BoundMs > 10 && BoundMs < 60, Line);
				Named += Has(Line, " ms (Client 1)") ? 1 : 0;
			}
			Expect(Named == 1, "only a client's line in the editor names the client");
			Session.Run(5);
			Expect(Displayed.size() == 2, "each line is logged once", Displayed.size());
			Expect(OnScreen.size() == (bWanted ? 1 : 0), "one message on the screen, only if enabled");
			Expect(!bWanted || (OnScreen[0].first == 5 && Has(OnScreen[0].second, " ms (Client 1)")),
				"the screen shows the message of the client in the editor for 5 s");
		}
	}

	/** Compares a machine's reading of the server's UTC with the true UTC. LargestBoundMs is 0 if the server
	 * has stated no bound. */
	static void ShowsUtc(const FMachine& Machine, double LargestBoundMs, const std::string& When)
	{
		constexpr int64 TicksTo1970 = 621355968000000000;
		const FDouble::FState& State = FDouble::State;
		FDateTime Utc;
		double BoundMs = 0;
		const bool bKnown = UNetClockUtc::GetServerUtc(Machine.World, Utc, BoundMs);
		const double TrueTicks = static_cast<double>(State.UtcTicks) + Machine.TickStart * 1e7;
		const double OffMs = FMath::Abs(static_cast<double>(Utc.GetTicks() - TicksTo1970) - TrueTicks) * 1e-4;
		const bool bStated = LargestBoundMs > 0;
		Expect(bKnown && OffMs < (bStated ? BoundMs : 40), When + ": off by (ms)", OffMs);
		Expect(bStated ? BoundMs < LargestBoundMs : BoundMs >= NetClock::UnknownMs, When + ": bound (ms)",
			BoundMs);
		const FDateTime Reset(Utc.GetTicks() + 36000000000);
		int64 At = 0;
		Expect(UNetClockUtc::GetServerTimeOfUtc(Machine.World, Reset, At), "its server time is known");
		Expect(At == Machine.Get<UNetClockSubsystem>()->GetServerTimeTicks() + 36000000000, "in an hour");
		Expect(!UNetClockUtc::GetServerTimeOfUtc(Machine.World, FDateTime(LLONG_MIN), At) && At == 0,
			"UTC before 1970 has no server time");
	}

	/** At first, the server states no error for its UTC. Then it states an error, and finally it changes its
	 * UTC. */
	static void ServerUtc(FSession& Session, FPeer& Peer)
	{
		FDateTime Utc;
		double BoundMs = 0, JumpSeconds = 0;
		int32 Heard = 0;
		FMachine& Server = *Session.Server;
		ShowsUtc(Peer.Machine, 0, "at the start");
		ShowsUtc(Server, 0, "on the server itself");
		UNetClockUtc& Known = *UNetClockUtc::Of(Peer.Machine.World);
		const FDelegateHandle Handle = Known.OnServerUtcChanged.AddLambda([&](double Jump)
		{
			JumpSeconds += Jump;
			++Heard;
		});
		UNetClockUtc::Of(Server.World)->SetServerUtcErrorMs(2);
		Session.Run(3);
		ShowsUtc(Peer.Machine, 60, "with a stated error");
		ShowsUtc(Server, 4, "on the server itself");
		Expect(Heard == 0, "UTC did not jump");
		FDouble::State.UtcTicks -= 36000000000;
		Session.Run(3);
		ShowsUtc(Peer.Machine, 60, "set back by an hour");
		Session.Run(62);
		ShowsUtc(Peer.Machine, 60, "a minute after a repeated claim");
		Expect(Heard == 1 && FMath::Abs(JumpSeconds + 3600) < 0.01, "reported once, without drift",
			JumpSeconds);
		Known.OnServerUtcChanged.Remove(Handle);
		UWorld* Nowhere = nullptr;
		Expect(!UNetClockUtc::GetServerUtc(Nowhere, Utc, BoundMs), "UTC is unknown without a game");
		Expect(BoundMs >= NetClock::UnknownMs && Utc.GetTicks() == 0, "unknown UTC has no bound and no date");
	}

	DUO(ServerRestart, Always, Seed + 12)
	{
		Session.Run(15);
		ServerUtc(Session, Peer);
		const int64 Before = Peer.Clock()->GetStatus().ServerEpoch;
		Session.RestartServer(At(60, -5, 10));
		Session.Run(1);
		Session.Connect(Peer);
		Session.Run(15);
		Promises(Peer);
		Expect(Peer.Clock()->GetStatus().ServerEpoch != Before, "another epoch");
		ShowsUtc(Peer.Machine, 0, "on another server");
	}

	SCENARIO(SeamlessTravel, Always)
	{
		for (const bool bKeeps : {true, false})
		{
			FDouble::State.bKeepsNetMode = bKeeps;
			FDuo Session(Seed + 13, Link(20));
			Session.Join(At(), Link(60));
			Session.Run(15);
			UNetClockUtc::Of(Session.Server->World)->SetServerUtcErrorMs(2);
			const int64 Before = Session.Peer.Clock()->GetServerTimeTicks();
			const double From = FDouble::State.Now;
			Session.SeamlessTravel();
			for (const auto& Peer : Session.Peers)
			{
				Session.RunUntil([&]() { return Peer->bTravelled; }, 0.002);
				const double Shown = Peer->Clock()->GetWorldReading(ENetClockWorldClock::World).Seconds;
				Expect(!Peer->Clock()->IsWorldTimeKnown() || Shown < 5, "the last time is not shown", Shown);
			}
			Session.Run(15);
			for (const auto& Peer : Session.Peers)
			{
				Promises(*Peer);
				Expect(Peer->Judged.Synced == 1, "the clock continues, and OnSynced is not broadcast again",
					Peer->Judged.Synced);
				Expect(Peer->Judged.UnsyncedAfterTravel == 0, "frames without sync after travel");
				Expect(Peer->Clock()->IsWorldTimeKnown(), "the new world's time is known");
				ShowsUtc(Peer->Machine, 150, "in the next world");
			}
			const int64 Passed = Session.Peer.Clock()->GetServerTimeTicks() - Before;
			ExpectNear(NetClock::TicksToSeconds(Passed), FDouble::State.Now - From, 0.1,
				"real time continues through travel");
		}
	}

	/** The connections are new, but the client's knowledge of the server's clock is still valid. */
	DUO(HardTravel, Always, Seed + 40)
	{
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
			"a reply to no request is rejected");
		Session.Run(0.03);
		Expect(!Peer.Clock()->IsSynced(), "unsynced until the server's clock is identified");
		// The server remains unknown after a datagram that does not identify it.
		Session.RunUntil([&]() { return Peer.Component() != nullptr; }, 0.001);
		Peer.Machine.Enter();
		Peer.Component()->ClientBytes_Implementation({0});
		Expect(Peer.Clock()->GetServerTimeTicks() == 0, "zero while unsynced");
		FNetClockStatus First;
		Peer.Clock()->OnSynced.AddLambda([&]() { First = Peer.Clock()->GetStatus(); });
		Session.Run(15);
		Promises(Peer);
		Expect(CountCause(Peer, ENetClockCause::NewConnection) == 1 && Peer.Judged.Synced == 1,
			"a new connection and a sync, each reported once");
		Expect(Peer.Judged.SyncedAfter < 0.4, "synced after (s)", Peer.Judged.SyncedAfter);
		Expect(First.Epoch == Before.Epoch && First.ServerEpoch == Before.ServerEpoch, "the same timeline");
		Expect(First.ErrorBoundMs < Before.ErrorBoundMs + 2, "same bound as before (ms)", First.ErrorBoundMs);
		// The crystals differ by 25 ppm. Two frame loops that slowly drift apart look like a difference
		// between the crystals.
		const double ServerPpm = *Session.Server->Settings.LoopPpm;
		const double ShiftPpm = FMath::Abs(*Peer.Machine.Settings.LoopPpm - ServerPpm);
		const double HiddenPpm = ShiftPpm * 1e-6 * 300 * 60 < 1 ? ShiftPpm : 0;
		ExpectNear(Before.FrequencyPpm, 25, 6 + HiddenPpm, "the frequency is known (ppm)");
		ExpectNear(First.FrequencyPpm, Before.FrequencyPpm, 1, "and kept, unlike in a new clock (ppm)");
		std::printf("    travel: synced %.2f s after connecting, with a bound of %.1f ms (%.1f before) and "
					"%.1f ppm (%.1f)\n",
			Peer.Judged.SyncedAfter, First.ErrorBoundMs, Before.ErrorBoundMs, First.FrequencyPpm,
			Before.FrequencyPpm);
	}

	/** Replies are late during a download, so the clock slews for seconds unless the game steps it. */
	SCENARIO(LoadingScreenEnds, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 47);
		FPeer& Peer = Session.Add(At(), Link(25, 4, 0, 0));
		const auto Step = [&Peer]() { Peer.Machine.Enter(); return Peer.Clock()->StepToBestEstimateMs(20); };
		Expect(FMath::Abs(Step()) <= 0, "an unsynced clock does not step");
		Peer.Link.Down.LagMs += 900;
		Session.Connect(Peer);
		for (int32 Tenth = 0; Tenth < 60; ++Tenth, Peer.Link.Down.LagMs -= 15) { Session.Run(0.1); }
		Session.Run(0.5);
		ExpectIn(Step(), 20, 450, "the step corrects the late clock (ms)");
		Session.Run(0.1);
		Expect(CountCause(Peer, ENetClockCause::Requested) == 1, "reported once");
		Expect(FMath::Abs(Step()) <= 0, "a second step has nothing to correct");
		Session.Run(5);
		// The clock may step back in its first second if its first estimate was late.
		Promises(Peer);
	}

	/** After the host has left, the client plays alone, and later joins another host. */
	DUO(HostLeaves, Once, Seed + 41, Link(), NM_ListenServer)
	{
		Session.Run(15);
		Promises(Peer);
		const int32 Calls = Peer.CallsUp;
		Session.LoseServer();
		const FNetClockStatus& Own = Peer.Clock()->GetStatus();
		Expect(Own.bIsSynced && Own.ErrorBoundMs <= 0, "it uses its own clock at once");
		Session.Run(2);
		const double OwnMs = Peer.Machine.Clock.At(Peer.Machine.TickStart) * 1000;
		ExpectNear(NetClock::TicksToMs(Peer.Clock()->GetServerTimeTicks()), OwnMs, 1e-3, "its own time");
		Expect(Peer.CallsUp == Calls, "it sends no requests");
		Session.RestartServer(At(30, 40, 77));
		Session.Connect(Peer);
		Session.Run(15);
		Promises(Peer);
		Expect(CountCause(Peer, ENetClockCause::NewConnection) == 1 && Peer.Judged.Synced == 1,
			"another host: reported once, and synced once");
		Expect(
			Peer.Judged.SyncedAfter < 0.6, "synced with the other host after (s)", Peer.Judged.SyncedAfter);
	}

	/** In a split screen, the second player's component sends requests if the first player has no
	 * component. */
	DUO(FirstPlayerWithout, Once, Seed + 42)
	{
		const FMachine& Machine = Peer.Machine;
		APlayerController* First = Machine.World->SpawnDouble<APlayerController>();
		First->Player = NewObject<ULocalPlayer>(Machine.Game);
		Session.Run(15);
		Expect(Machine.Game->GetFirstLocalPlayerController() == First, "the first local player is found");
		Expect(!First->FindComponentByClass<UNetClockComponent>(), "the first player has no component");
		Promises(Peer);
		ExpectIn(Peer.Judged.SyncedAfter, 0, 1, "synced within a second");
	}

	/** A machine sleeps. The system may report more than once that the application is in the foreground. */
	SCENARIO(Suspend, Once)
	{
		struct { const char* Name; double Seconds; bool bClockCounts, bTold; } const Sleeps[] = {
			{"sleep with a running clock", 20, true, false}, {"sleep with a stopped clock", 20, false, false},
			// The clock agrees with UTC, so only the system's notification can reveal the gap.
			{"return to the foreground", 3, true, true}};
		for (const auto& Sleep : Sleeps)
		{
			Report::Scenario = Sleep.Name;
			FDuo Session(Seed + 43, Link(25, 4, 0, 0));
			FPeer& Peer = Session.Peer;
			Session.Run(15);
			Promises(Peer);
			Peer.Machine.Suspend(Sleep.Seconds, Sleep.bClockCounts);
			if (Sleep.bTold) { FCoreDelegates::ApplicationHasEnteredForegroundDelegate.Broadcast(); }
			int32 Doubtful = 0;
			Peer.Machine.AlsoAtEnd([&]()
				{ Doubtful += Peer.Clock()->GetStatus().ErrorBoundMs >= NetClock::UnknownMs ? 1 : 0; });
			Session.Run(Sleep.Seconds + 1);
			ExpectIn(Doubtful, 3, 15, "frames without a bound until a reply arrives");
			// If the clock stopped, UTC shows the gap.
			Expect(CountCause(Peer, ENetClockCause::LocalGap) == 1, "the gap is reported once");
			Expect(CountCause(Peer, ENetClockCause::ProvenStep) == 0, "no step is reported");
			const int32 Frames = Peer.Judged.Frames;
			Session.Run(10);
			Expect(Peer.Judged.OutsideRealBound == 0 && Peer.Judged.Frames > Frames + 500,
				"no frame is outside the bound after waking up", Peer.Judged.OutsideRealBound);
			Expect(Peer.Clock()->GetStatus().ErrorBoundMs < 100, "the bound is tight again");
		}
	}

	/** The game has its own game state, but uses the component and the server's real time. */
	SCENARIO(OtherGameState, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 44);
		Session.GameStateClass = AGameStateBase::StaticClass();
		Session.HardTravel();
		FPeer& Peer = Session.Join(At(), Link());
		Session.Run(5);
		const AGameStateBase* State = Peer.Machine.World->GetGameState();
		int32 Reached = 0;
		double ToldMs = 0, BoundMs = 0;
		const auto Hear = [&](const FNetClockWaited& Waited)
		{
			++Reached;
			ToldMs = Waited.ErrorBoundMs;
			BoundMs = Peer.Clock()->GetWorldTimeErrorBoundMs();
		};
		Peer.Machine.Get<UNetClockWaits>()->WaitUntilServerWorldTime(
			State->GetServerWorldTimeSeconds() + 1, FNetClockWaitDelegate::CreateLambda(Hear));
		Session.Run(5);
		Expect(State->GetClass() == AGameStateBase::StaticClass(), "the game state is the engine's");
		Expect(Peer.Clock()->IsSynced() && Peer.Judged.OutsideRealBound == 0,
			"the real time is known, within its bound");
		const double Truth = Session.Server->WorldTimeAt(Peer.Machine.TickStart);
		const FNetClockWorldReading Reading = Peer.Clock()->GetWorldReading(ENetClockWorldClock::World);
		const double ErrorMs = (Reading.Seconds - Truth) * 1000;
		const double EngineMs = (State->GetServerWorldTimeSeconds() - Truth) * 1000;
		Expect(Peer.Clock()->IsWorldTimeKnown(), "the world time is known");
		Expect(FMath::Abs(ErrorMs) <= Reading.ErrorBoundMs, "within its bound (ms)", ErrorMs);
		Expect(FMath::Abs(ErrorMs) < FMath::Abs(EngineMs) / 3, "better than the engine's (ms)", ErrorMs);
		Expect(EngineMs < -10, "the game state returns the engine's time (ms)", EngineMs);
		Expect(Reached == 1 && ToldMs < NetClock::UnknownMs && FMath::Abs(ToldMs - BoundMs) <= 0,
			"a wait follows the plugin's world time");
	}
}
