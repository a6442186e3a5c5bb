// Net modes, frame rates and links: the promises hold in every frame of every client.
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

	std::string Console(const FMachine& Machine, const std::string& Command)
	{
		Machine.Enter();
		std::string Text;
		for (const std::string& Line : FDouble::Console(Machine.World, Command)) { Text += Line + "\n"; }
		return Text;
	}

	bool StatusHas(const FMachine& Machine, const std::string& Part)
	{
		return Console(Machine, "NetClock.Status").find(Part) != std::string::npos;
	}

	static void Tell(const FSession& Session, const char* Table)
	{
		for (const auto& Peer : Session.Peers)
		{
			Report::Row(Report::NameOf(Table, Session, *Peer), *Peer);
			Promises(*Peer);
		}
	}

	std::unique_ptr<FSession> FourLinks(uint64 Seed, double Loss)
	{
		auto Session = std::make_unique<FSession>(At(60, 12, 5000), NM_DedicatedServer, Seed);
		Session->Add(At(30, -20, 100), Link(10, 2, Loss, 0.02));
		Session->Add(At(60, 35, 70000), Link(25, 4, Loss, 0.02));
		FLink Uneven = Link(60, 8, Loss, 0.02);
		Uneven.Up.LagMs = 45;
		Session->Add(At(144, -40, 3000), Uneven);
		Session->Add(At(60, 5, 250000), Link(120, 15, Loss, 0.02));
		Session->ConnectAll();
		return Session;
	}

	std::unique_ptr<FSession> FourRates(uint64 Seed, double Loss)
	{
		auto Session = std::make_unique<FSession>(At(59.3, 10, 5000), NM_DedicatedServer, Seed + 2);
		for (const double Fps : {61.7, 97.3, 143.1, 31.3})
		{
			Session->Add(At(Fps, -15, 300), Link(25, 4, Loss, 0.01));
		}
		Session->ConnectAll();
		return Session;
	}

	std::unique_ptr<FSession> Exact(uint64 Seed, double ServerFps, double ClientFps, double Loss)
	{
		FMachineSettings Server = At(ServerFps, 0, 5000), Client = At(ClientFps, 0, 300);
		Server.LateMs = Client.LateMs = 0;
		auto Session = std::make_unique<FSession>(Server, NM_DedicatedServer, Seed);
		Session->Join(Client, Link(25, 4, Loss, 0.01));
		return Session;
	}

	static void DedicatedAt(uint64 Seed, double Loss)
	{
		const auto Session = FourLinks(Seed, Loss);
		Session->Run(40);
		Tell(*Session, Loss < 0.05 ? "dedicated, 1 % loss" : "dedicated, 10 % loss");
	}

	SCENARIO(Dedicated, Always)
	{
		DedicatedAt(Seed, 0.01);
		DedicatedAt(Seed, 0.10);
	}

	static void ListenAt(uint64 Seed, double Loss)
	{
		FSession Session(At(144, -8, 900), NM_ListenServer, Seed + 1);
		Session.ControllerClass = AClockController::StaticClass();
		Session.Add(At(60, 30, 100), Link(15, 3, Loss, 0.02));
		Session.Add(At(30, -30, 44000), Link(80, 10, Loss, 0.02));
		Session.ConnectAll();
		Session.Run(40);
		const UNetClockSubsystem* Clock = Session.Server->Get<UNetClockSubsystem>();
		Expect(Session.Host() && Clock->IsSynced() && Clock->GetStatus().ErrorBoundMs <= 0,
			"the host's own time is exact");
		Tell(Session, Loss < 0.05 ? "listen, 1 % loss" : "listen, 10 % loss");
	}

	SCENARIO(Listen, Always)
	{
		ListenAt(Seed, 0.01);
		ListenAt(Seed, 0.10);
	}

	SCENARIO(Incommensurate, Once)
	{
		const auto Session = FourRates(Seed, 0.01);
		Session->Run(70);
		Tell(*Session, "incommensurate");
		// At 30 frames per second, a reply waits for up to 33 ms. That client's error is only printed, beside
		// its bound.
		FSeen Fast;
		for (const auto& Peer : Session->Peers)
		{
			const std::vector<double>& Errors = Peer->Judged.NetClock.ErrorsMs;
			if (Peer->Machine.Settings.Fps > 60)
			{
				Fast.ErrorsMs.insert(Fast.ErrorsMs.end(), Errors.begin(), Errors.end());
			}
		}
		// If the smallest delays of the two ways differ, half of the difference is an error that no clock can
		// avoid. On the way up, a delay consists of the lag, a wait of up to T = 16.9 ms and a jitter of J =
		// 4 ms on average. The smallest of n delays exceeds the lag by w with a probability of exp(-n w^2 /
		// (2 T J)). For the n = 72 probes in 10 s, this is one in a million at w = 2 * 2.6 ms. Here 1 % of
		// the frames are 1.8 s, and there are a hundred such stretches. At w = 2 * 0.8 ms the probability is
		// a quarter, so this is seldom exceeded during half of the time.
		Expect(Fast.Quantile(0.99) <= 2.6, "p99 is (ms)", Fast.Quantile(0.99));
		Expect(Fast.Quantile(0.5) <= 0.8, "p50 is (ms)", Fast.Quantile(0.5));
		std::printf("    p50 %.3f and p99 %.3f ms over the clients above 60 frames a second\n",
			Fast.Quantile(0.5), Fast.Quantile(0.99));
		const FPeer& First = *Session->Peers[0];
		std::printf("    %.1f probes a second, of %.0f bytes of arguments\n", First.CallsUp / 70.0,
			static_cast<double>(First.BytesUp) / First.CallsUp);
	}

	SCENARIO(Locked, Once)
	{
		const auto Session = Exact(Seed + 3, 30, 60, 0.01);
		Session->Run(60);
		Tell(*Session, "exact");
	}

	/** Above 120 frames per second, some probes leave a frame or two after they were stamped, which is 9.8 ms
	 * at most. */
	SCENARIO(FlushRate, Once)
	{
		/** The longest time from the end of a frame to its flush. */
		constexpr double FlushSeconds = 0.0003001;
		for (const auto& [Fps, MostFrames] : {std::pair{60.0, 0}, std::pair{144.0, 1}, std::pair{240.0, 2}})
		{
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 4);
			FMachineSettings Client = At(Fps, -15, 300);
			Client.LateMs = 0;
			FPeer& Peer = Session.Join(Client, Link(25, 4, 0.01, 0.01));
			std::vector<double> Stamped;
			double Last = -1, LeastApart = 1, LongestWait = 0;
			int32 Flushes = 0, Probes = 0, Waited = 0;
			Peer.Passes = [&](const UObject*, const FDoubleRpc& Rpc)
			{
				if (std::strstr(Rpc.Name, "ServerBytes")) { Stamped.push_back(FDouble::State.Now); }
				return true;
			};
			Peer.Machine.OnFlush = [&]()
			{
				const double Now = FDouble::State.Now;
				LeastApart = Last < 0 ? LeastApart : FMath::Min(LeastApart, Now - Last);
				Last = Now;
				++Flushes;
				for (const double At : Stamped)
				{
					++Probes;
					Waited += Now > At + FlushSeconds ? 1 : 0;
					LongestWait = FMath::Max(LongestWait, Now - At);
				}
				Stamped.clear();
			};
			constexpr int32 Seconds = 30;
			Session.Run(Seconds);
			const std::string Rate = std::to_string(Fps) + " frames a second: ";
			Expect(LeastApart >= 1.0 / 120, Rate + "flushes are apart", LeastApart);
			ExpectIn(Flushes, Seconds * 58, Seconds * 120, Rate + "flushes");
			const double Share = static_cast<double>(Waited) / Probes;
			// At 240 frames per second, two frames in three wait, or one in two.
			Expect(MostFrames > 0 ? Share > 0.35 && Share < 0.7 : Waited == 0, Rate + "so many wait", Waited,
				Probes);
			// The end of a frame's work varies by 0.3 of the frame's length.
			const double Most = FlushSeconds + (MostFrames > 0 ? (MostFrames * 1.003 + 0.3) / Fps : 0);
			ExpectIn(LongestWait, Most / 2, Most, Rate + "seconds from a stamp until it leaves");
			Promises(Peer);
		}
	}

	void WithoutLibrary(uint64 Seed)
	{
		Expect(
			FMath::Abs(static_cast<double>(NetClock::LocalTicks()) * 1e-7 - FPlatformTime::Seconds()) < 1e-6,
			"local times are the engine's");
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed);
		FPeer& Peer = Session.Add(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.ConnectAll();
		int32 Reached = 0;
		UNetClockWaits* Waits = Peer.Machine.Get<UNetClockWaits>();
		Waits->WaitUntilServerWorldTime(
			10, FNetClockWaitDelegate::CreateLambda([&Reached](const FNetClockWaited&) { ++Reached; }));
		int32 Begun = 0, BegunHere = 0;
		UNetClockStart* Start = Session.Server->Get<UNetClockStart>();
		Start->OnStart.AddLambda([&BegunHere](double LatenessMs, double BoundMs)
			{ BegunHere += LatenessMs >= 0 && LatenessMs < 20 && BoundMs <= 0 ? 1 : 100; });
		Peer.Machine.Get<UNetClockStart>()->OnStart.AddLambda(
			[&Begun](double, double BoundMs) { Begun += BoundMs >= NetClock::UnknownMs ? 1 : 100; });
		Session.Run(5);
		Expect(StatusHas(*Session.Server, "dedicated server\n  no clock: "),
			"the server's status reports no clock:\n" + Console(*Session.Server, "NetClock.Status"));
		Expect(Start->SetBeatRate(30) && Start->ScheduleStart(1000), "a start is wanted");
		Expect(Start->CancelStart() && Start->ScheduleStart(1000), "taken back, and wanted again");
		Session.Run(0.9);
		Expect(Start->IsStartScheduled() && Begun == 0 && BegunHere == 0, "scheduled");
		Session.Run(14.1);
		Expect(
			Begun == 0 && BegunHere == 1, "a start begins on the server, and no client is informed");
		ENetClockOrder Order = ENetClockOrder::Before;
		double Probability = 0;
		bool bProven = true;
		FNetClockRewind Rewind;
		Expect(!UNetClockOrder::CompareEventTimes(
				   FNetClockStamp(), FNetClockStamp(), true, 0.5, Order, Probability, bProven) &&
				Order == ENetClockOrder::TooClose,
			"no order without a library");
		Expect(!UNetClockOrder::GetRewindTime(Peer.ServerController, 0, 0, 0, 100, Rewind), "no way");
		Expect(UNetClockOrder::GetPredictionLeadMs(Peer.Machine.World) >= NetClock::UnknownMs, "no lead");
		const UNetClockLatency& Latency = *Peer.Machine.Get<UNetClockLatency>();
		Expect(FMath::Abs(Latency.GetSuggestedSpeedScale() - 1) <= 0, "the speed scale is 1");
		FDateTime Utc;
		double UtcBoundMs = 0;
		Expect(!UNetClockUtcNodes::GetServerUtc(Peer.Machine.World, Utc, UtcBoundMs) && Utc.GetTicks() == 0,
			"no UTC of another machine");
		Expect(UNetClockUtcNodes::GetServerUtc(Session.Server->World, Utc, UtcBoundMs), "UTC on the server");
		Expect(Utc.GetTicks() > 621355968000000000, "its own");
		Expect(Reached == 1, "a wait for a world time ends by the engine's clock");
		// Nothing of this start is announced in the next world, neither to players who travelled along nor to
		// new ones.
		Session.SeamlessTravel();
		Session.Run(0.04);
		FPeer& Late = Session.Join(At(60, 15, 30), Link(25, 4, 0.01, 0.01));
		int32 After = 0;
		for (FPeer* Each : {&Peer, &Late})
		{
			Each->Machine.Get<UNetClockStart>()->OnStart.AddLambda([&After](double, double) { ++After; });
		}
		Session.Run(3);
		Expect(After == 0, "nothing of a start in the next world");
		Expect(Session.Server->Get<UNetClockStart>()->ScheduleStart(), "which has its own");
		Session.Run(2);
		Expect(After == 0, "and informs no client");
		Expect(!Peer.Clock()->IsSynced(), "nothing is synced");
		Expect(Peer.ServerComponent()->bServerHasNoClock, "the server replicates that it has no clock");
		Expect(Peer.Judged.Fallback > 500 && Peer.Judged.Frames == 0, "the engine's own clock is shown");
		Expect(Peer.Judged.Backwards == 0, "never backwards");
		// One message says that the plugin was built without the library, or that the file is missing.
		const int32 Said = WITH_NETCLOCK_LIBRARY ? FDouble::State.Errors : FDouble::State.Warnings;
		Expect(Said == 1, "one message, not", Said);
		Expect(StatusHas(Peer.Machine, "no library"), "the status reports it");
		Expect(Console(Peer.Machine, "NetClock.Record x").find("nothing to record") != std::string::npos,
			"nothing is recorded");
	}
}
