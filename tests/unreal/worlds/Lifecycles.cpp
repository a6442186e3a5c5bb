// The life of a game: late joins, reconnects, server restarts and travel.
#include <climits>

#include "HAL/PlatformTime.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** Checks conversions in both directions, and numbers that are not times. */
	static void Units()
	{
		Expect(UNetClockNodes::SecondsToTicks(1.5) == 15000000, "seconds to ticks");
		Expect(UNetClockNodes::SecondsToTicks(-0.25) == -2500000, "of the past, too");
		ExpectNear(UNetClockNodes::TicksToSeconds(-25000000), -2.5, 0, "ticks to seconds");
		Expect(UNetClockNodes::SecondsToTicks(std::nan("")) == 0, "no number is no time");
		Expect(UNetClockNodes::SecondsToTicks(1e300) == LLONG_MAX, "as far as the type reaches");
		Expect(UNetClockNodes::SecondsToTicks(-1e300) == LLONG_MIN, "both ways");
		Expect(UNetClockNodes::SecondsToTicks(HUGE_VAL) == LLONG_MAX, "and no further");
	}

	/** The static nodes return the values of the subsystem. */
	static void Nodes(const FPeer& Peer)
	{
		const UWorld* World = Peer.Machine.World;
		const UNetClockSubsystem* Clock = Peer.Clock();
		const int64 Ticks = Clock->GetServerTimeTicks();
		Expect(UNetClockNodes::IsServerTimeSynced(World), "synced");
		Expect(UNetClockNodes::GetServerTimeTicks(World) == Ticks, "the time");
		const FNetClockStatus Status = UNetClockNodes::GetClockStatus(World);
		Expect(Status.Quality == Clock->GetStatus().Quality, "quality");
		Expect(Status.Quality != ENetClockQuality::None, "which is known");
		Expect(FMath::Abs(UNetClockNodes::GetServerTimeSeconds(World) -
				   static_cast<double>(Ticks) * 1e-7) < 1e-6,
			"real time in seconds");
		ExpectNear(Status.ErrorBoundMs, Clock->GetStatus().ErrorBoundMs, 0, "the bound");
		double AgeSeconds = 0;
		Expect(UNetClockNodes::GetAgeOfServerTime(World, Ticks + 5000000, AgeSeconds), "an age is known");
		ExpectNear(AgeSeconds, -0.5, 1e-6, "the age of a future time");
		const double Shown = static_cast<double>(World->GetGameState()->GetServerWorldTimeSeconds());
		ExpectNear(UNetClockNodes::GetServerWorldTimeSeconds(World), Shown, 0, "world time");
		Units();
		const AActor* Actor = Peer.Controller;
		Expect(UNetClockNodes::GetServerTimeTicks(Actor) == Ticks, "any object with a world is accepted");
		Expect(UNetClockNodes::GetServerTimeTicks(nullptr) == 0, "no object returns zero");
	}

	SCENARIO(LateJoin, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 10);
		FPeer& First = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Late = Session.Add(At(144, 25, 90000), Link(40, 6, 0.01, 0.01));
		Session.Run(30);
		Session.Connect(Late);
		Session.Run(15);
		Promises(First);
		Promises(Late);
		ExpectIn(Late.Judged.SyncedAfter, 0, 1, "synced within a second");
		Expect(Late.Judged.Synced == 1, "OnSynced was broadcast once");
		Nodes(Late);
		for (const FMachine* Machine : {Session.Server.get(), &Late.Machine})
		{
			Machine->Enter();
			const double Seconds = static_cast<double>(NetClock::LocalTicks()) * 1e-7;
			ExpectNear(Seconds, Machine->Clock.At(FDouble::State.Now), 1e-6, "local times are the library's");
			Expect(FMath::Abs(Seconds - FPlatformTime::Seconds()) > 1000, "and not the engine's");
		}
		Expect(Late.Clock()->GetStatus().Quality == ENetClockQuality::Good, "a good clock");
		Late.Link.Up.Loss = 1;
		Session.Run(30);
		Expect(Late.Clock()->GetStatus().State == ENetClockState::Holdover, "in holdover");
		Expect(Late.Clock()->GetStatus().Quality == ENetClockQuality::Fair, "no more than fair in holdover");
		Late.Machine.Suspend(20, true);
		Session.Run(20.5);
		Expect(
			Late.Clock()->GetStatus().ErrorBoundMs >= NetClock::UnknownMs, "nothing is promised after a gap");
		Expect(Late.Clock()->GetStatus().Quality == ENetClockQuality::Poor, "poor after a gap");
	}

	/** Compares the server's UTC on a machine with the true UTC. If the largest bound is zero, the server
	 * does not state an error. */
	static void ShowsUtc(const FMachine& Machine, double LargestBoundMs, const char* When)
	{
		constexpr int64 TicksTo1970 = 621355968000000000;
		const FDouble::FState& State = FDouble::State;
		FDateTime Utc;
		double BoundMs = 0;
		const bool bKnown = UNetClockUtcNodes::GetServerUtc(Machine.World, Utc, BoundMs);
		const double TrueTicks = static_cast<double>(State.UtcTicks) + Machine.TickStart * 1e7;
		const double OffMs = FMath::Abs(static_cast<double>(Utc.GetTicks() - TicksTo1970) - TrueTicks) * 1e-4;
		const bool bStated = LargestBoundMs > 0;
		Expect(bKnown && OffMs < (bStated ? BoundMs : 40), std::string(When) + ": off by (ms)", OffMs);
		Expect(bStated ? BoundMs < LargestBoundMs : BoundMs >= NetClock::UnknownMs,
			std::string(When) + ": bound (ms)", BoundMs);
		const FDateTime Reset(Utc.GetTicks() + 36000000000);
		const UWorld* World = Machine.World;
		int64 At = 0;
		const UNetClockSubsystem* Clock = Machine.Get<UNetClockSubsystem>();
		Expect(UNetClockUtcNodes::GetServerTimeOfUtc(World, Reset, At), "so is its server time");
		Expect(At == Clock->GetServerTimeTicks() + 36000000000, "in an hour");
		Expect(!UNetClockUtcNodes::GetServerTimeOfUtc(Machine.World, FDateTime(LLONG_MIN), At) && At == 0,
			"never before 1970");
	}

	/** The server states no error of its UTC at first. Later it states one, and then it sets its UTC. */
	static void ServerUtc(FSession& Session, FPeer& Peer)
	{
		FDateTime Utc;
		double BoundMs = 0;
		FMachine& Server = *Session.Server;
		ShowsUtc(Peer.Machine, 0, "at the start");
		ShowsUtc(Server, 0, "on the server itself");
		double JumpSeconds = 0;
		int32 Heard = 0;
		UNetClockUtc& Known = *UNetClockUtc::Of(Peer.Machine.World);
		const FDelegateHandle Handle = Known.OnServerUtcChanged.AddLambda([&](double Jump)
		{
			JumpSeconds += Jump;
			++Heard;
		});
		UNetClockUtc::Of(Server.World)->SetServerUtcErrorMs(2);
		Session.Run(3);
		ShowsUtc(Peer.Machine, 60, "with an error that is stated");
		ShowsUtc(Server, 4, "on the server itself");
		Expect(Heard == 0, "it did not jump");
		FDouble::State.UtcTicks -= 36000000000;
		Session.Run(3);
		ShowsUtc(Peer.Machine, 60, "set back by an hour");
		Expect(Heard == 1 && FMath::Abs(JumpSeconds + 3600) < 0.01, "reported once", JumpSeconds);
		Session.Run(62);
		ShowsUtc(Peer.Machine, 60, "a minute later, claimed again");
		Expect(Heard == 1, "drift is not reported as a change");
		Known.OnServerUtcChanged.Remove(Handle);
		UWorld* Nowhere = nullptr;
		Expect(!UNetClockUtcNodes::GetServerUtc(Nowhere, Utc, BoundMs), "nothing without a game");
		Expect(BoundMs >= NetClock::UnknownMs && Utc.GetTicks() == 0, "and no date");
	}

	SCENARIO(ServerRestart, Always)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 12);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(15);
		ServerUtc(Session, Peer);
		const int64 Before = Peer.Clock()->GetStatus().ServerEpoch;
		Session.RestartServer(At(60, -5, 10));
		Session.Run(1);
		Session.Connect(Peer);
		Session.Run(15);
		Promises(Peer);
		Expect(Peer.Clock()->GetStatus().ServerEpoch != Before, "another epoch");
		ShowsUtc(Peer.Machine, 0, "of another server");
	}

	static void TravelSeamlessly(uint64 Seed)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 13);
		for (const double Lag : {20.0, 60.0})
		{
			Session.Join(At(60, -15, 300), Link(Lag, 4, 0.01, 0.01));
		}
		Session.Run(15);
		UNetClockUtc::Of(Session.Server->World)->SetServerUtcErrorMs(2);
		const int64 Before = Session.Peers[0]->Clock()->GetServerTimeTicks();
		const double From = FDouble::State.Now;
		Session.SeamlessTravel();
		for (const auto& Peer : Session.Peers)
		{
			while (!Peer->bTravelled) { Session.Run(0.002); }
			Expect(!Peer->Clock()->IsWorldTimeKnown() || Peer->Clock()->GetWorldReading(
				ENetClockWorldClock::World).Seconds < 5, "the last world's time is not shown in this one");
		}
		Session.Run(15);
		for (const auto& Peer : Session.Peers)
		{
			Promises(*Peer);
			Expect(Peer->Judged.Synced == 1, "the clock continues, and OnSynced is not broadcast again",
				Peer->Judged.Synced);
			Expect(Peer->Judged.UnsyncedAfterTravel == 0, "synced from the first moment in the new world");
			Expect(Peer->Clock()->IsWorldTimeKnown(), "the new world's time is known");
			ShowsUtc(Peer->Machine, 150, "in the next world");
		}
		const double Passed =
			static_cast<double>(Session.Peers[0]->Clock()->GetServerTimeTicks() - Before) * 1e-7;
		ExpectNear(Passed, (FDouble::State.Now - From), 0.1, "the server's real time goes through");
	}

	SCENARIO(SeamlessTravel, Always)
	{
		for (const bool bKeeps : {true, false})
		{
			FDouble::State.bKeepsNetMode = bKeeps;
			TravelSeamlessly(Seed);
		}
	}
}
