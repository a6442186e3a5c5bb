// Checks the guarantees in each frame of each client with various net modes, frame rates and links.
#include <algorithm>
#include <cstring>

#include "NetClock/Base/NetClockBase.h"
#include "HAL/IConsoleManager.h"
#include "HAL/PlatformTime.h"
#include "Scenarios.h"

namespace Scenarios
{
	FLink Link(double LagMs, double JitterMs, double Loss, double Duplicates)
	{
		const FDirection Way{LagMs, JitterMs, Loss, Duplicates};
		return {Way, Way};
	}

	FMachineSettings At(double Fps, double Ppm, double Origin)
	{
		FMachineSettings Settings;
		Settings.Fps = Fps;
		Settings.Ppm = Ppm;
		Settings.Origin = Origin;
		return Settings;
	}

	int32 CountCause(const FPeer& Peer, ENetClockCause Cause)
	{
		return static_cast<int32>(std::count(Peer.Judged.Causes.begin(), Peer.Judged.Causes.end(), Cause));
	}

	std::string Console(const FMachine& Machine, const std::string& Command)
	{
		Machine.Enter();
		std::string Text;
		for (const std::string& Line : FDouble::Console(Machine.World, Command)) { Text += Line + "\n"; }
		return Text;
	}

	bool StatusHas(const FMachine& Machine, const std::string& Part)
	{
		return Has(Console(Machine, "NetClock.Status"), Part);
	}

	static void RunAndTell(FSession& Session, double Seconds, const char* Table)
	{
		Session.ConnectAll();
		Session.Run(Seconds);
		for (const auto& Peer : Session.Peers)
		{
			Report::Row(Report::NameOf(Table, Session, *Peer), *Peer);
			Promises(*Peer);
		}
		const FPeer& Last = *Session.Peers.back();
		std::printf("    %.1f probes a second, of %.0f bytes of arguments\n", Last.CallsUp / Seconds,
			static_cast<double>(Last.BytesUp) / Last.CallsUp);
	}

	SCENARIO(Dedicated, Always)
	{
		for (const double Loss : {0.01, 0.10})
		{
			FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed);
			// Some replies leave the server after the time in their timestamps.
			Session.bQueueCalls = Loss > 0.05;
			Session.Add(At(30, -20, 100), Link(10, 2, Loss, 0.02));
			Session.Add(At(60, 35, 70000), Link(25, 4, Loss, 0.02));
			FLink Uneven = Link(60, 8, Loss, 0.02);
			Uneven.Up.LagMs = 45;
			Session.Add(At(144, -40, 3000), Uneven);
			Session.Add(At(60, 5, 250000), Link(120, 15, Loss, 0.02));
			RunAndTell(Session, 40, Loss < 0.05 ? "dedicated, 1 % loss" : "dedicated, 10 % loss");
		}
	}

	SCENARIO(Listen, Always)
	{
		for (const double Loss : {0.01, 0.10})
		{
			FSession Session(At(144, -8, 900), NM_ListenServer, Seed + 1);
			Session.ControllerClass = AClockController::StaticClass();
			Session.Add(At(60, 30, 100), Link(15, 3, Loss, 0.02));
			Session.Add(At(30, -30, 44000), Link(80, 10, Loss, 0.02));
			RunAndTell(Session, 40, Loss < 0.05 ? "listen, 1 % loss" : "listen, 10 % loss");
			const UNetClockSubsystem* Clock = Session.Server->Get<UNetClockSubsystem>();
			Expect(Session.Host() && Clock->IsSynced() && Clock->GetStatus().ErrorBoundMs <= 0,
				"the host's own time is exact");
		}
	}

	/** Above 120 frames/s, some probes leave one or two frames (at most 9.9 ms) after their timestamp. */
	SCENARIO(FlushRate, Once)
	{
		for (const double Fps : {144.0, 240.0})
		{
			FMachineSettings Client = At(Fps);
			Client.LateMs = 0;
			FDuo Session(Seed + 4, Link(), NM_DedicatedServer, Client);
			FPeer& Peer = Session.Peer;
			double Stamped = -1, LongestMs = 0;
			Peer.Passes = [&](const UObject*, const FDoubleRpc& Rpc)
			{
				Stamped = Stamped < 0 && std::strstr(Rpc.Name, "ServerBytes") ? FDouble::State.Now : Stamped;
				return true;
			};
			Peer.Machine.OnFlush = [&]()
			{
				const double WaitedMs = Stamped < 0 ? 0 : (FDouble::State.Now - Stamped) * 1000;
				LongestMs = FMath::Max(LongestMs, WaitedMs);
				Stamped = -1;
			};
			Session.Run(30);
			ExpectIn(LongestMs, 4.6, 9.95, "ms between a stamp and its departure");
			Promises(Peer);
		}
	}

	void WithoutLibrary(uint64 Seed)
	{
		ExpectNear(NetClock::TicksToSeconds(NetClock::LocalTicks()), FPlatformTime::Seconds(), 1e-6,
			"local times come from the engine");
		FDuo Session(Seed);
		FPeer& Peer = Session.Peer;
		UNetClockStart* Start = Session.Server->Get<UNetClockStart>();
		int32 Reached = 0, Begun = 0, BegunHere = 0;
		Peer.Machine.Get<UNetClockWaits>()->WaitUntilServerWorldTime(
			10, FNetClockWaitDelegate::CreateLambda([&](const FNetClockWaited&) { ++Reached; }));
		Start->OnStart.AddLambda([&](double LatenessMs, double BoundMs)
			{ BegunHere += LatenessMs >= 0 && LatenessMs < 20 && BoundMs <= 0 ? 1 : 100; });
		Peer.Machine.Get<UNetClockStart>()->OnStart.AddLambda([&](double, double) { ++Begun; });
		Session.Run(5);
		Expect(StatusHas(*Session.Server, "dedicated server\n  no clock: "), "the status reports no clock");
		Expect(Start->SetBeatRate(30) && Start->ScheduleStart(1000) && Start->CancelStart() &&
				Start->ScheduleStart(1000),
			"a start is scheduled, cancelled, and scheduled again");
		Session.Run(0.9);
		Expect(Start->IsStartScheduled() && BegunHere == 0, "scheduled");
		Session.Run(14.1);
		Expect(BegunHere == 1, "the start happens on the server");
		ENetClockOrder Order = ENetClockOrder::Before;
		double Probability = 0, UtcBoundMs = 0;
		bool bProven = true;
		FNetClockRewind Rewind;
		Expect(!UNetClockOrder::CompareEventTimes(
				   FNetClockStamp(), FNetClockStamp(), true, 0.5, Order, Probability, bProven) &&
				Order == ENetClockOrder::TooClose,
			"stamps are not compared without a library");
		Expect(!UNetClockOrder::GetRewindTime(Peer.ServerController, 0, 0, 0, 100, Rewind), "no way");
		Expect(UNetClockOrder::GetPredictionLeadMs(Peer.Machine.World) >= NetClock::UnknownMs, "no lead");
		const UNetClockLatency& Latency = *Peer.Machine.Get<UNetClockLatency>();
		Expect(FMath::Abs(Latency.GetSuggestedSpeedScale() - 1) <= 0, "the speed scale is 1");
		FDateTime Utc;
		Expect(!UNetClockUtc::GetServerUtc(Peer.Machine.World, Utc, UtcBoundMs) && Utc.GetTicks() == 0,
			"the client does not know the server's UTC");
		Expect(UNetClockUtc::GetServerUtc(Session.Server->World, Utc, UtcBoundMs) &&
				Utc.GetTicks() > 621355968000000000,
			"the server knows its own UTC");
		Expect(Reached == 1, "a wait for a world time follows the engine's clock");
		Session.SeamlessTravel();
		Session.Run(3);
		Expect(Session.Server->Get<UNetClockStart>()->ScheduleStart(), "the next world has its own start");
		Session.Run(2);
		Expect(Session.Server->Get<UNetClockStart>()->HasStarted() && Begun == 0, "no client starts");
		Expect(!Peer.Clock()->IsSynced(), "the client is not synced");
		Expect(Peer.ServerComponent()->bServerHasNoClock, "the server replicates that it has no clock");
		Expect(Peer.Judged.Fallback > 500 && Peer.Judged.Frames == 0, "the engine's own clock is shown");
		Expect(Peer.Judged.Backwards == 0, "never backwards");
		// The log must contain one message, either about a build without the library or about a missing file.
		const int32 Said = WITH_NETCLOCK_LIBRARY ? FDouble::State.Errors : FDouble::State.Warnings;
		Expect(Said == 1, "one message, not", Said);
		Expect(StatusHas(Peer.Machine, "no library"), "the status reports the missing library");
		Expect(Has(Console(Peer.Machine, "NetClock.Record x"), "nothing to record"), "nothing is recorded");
	}
}
