// Each wait for an instant of server time must end exactly once, and never early.
#include "Scenarios.h"

namespace Scenarios
{
	struct FEnded
	{
		int32 Times = 0;
		FNetClockWaited Last;
		int64 Ticks = 0;
		double WorldSeconds = 0, WorldBoundMs = 0, At = 0;

		bool Ended(ENetClockWaitEnd End) const { return Times == 1 && Last.End == End; }
		bool Reached() const { return Ended(ENetClockWaitEnd::Reached); }
	};

	static UNetClockWaits* WaitsOf(const FMachine& Machine) { return Machine.Get<UNetClockWaits>(); }

	static FNetClockWaitDelegate Save(FEnded& Seen, const FMachine& Machine)
	{
		return FNetClockWaitDelegate::CreateLambda([&Seen, &Machine](const FNetClockWaited& Waited)
		{
			++Seen.Times;
			Seen.Last = Waited;
			Seen.At = Machine.TickStart;
			if (Waited.End == ENetClockWaitEnd::WorldEnd) { return; }
			const UNetClockSubsystem* Clock = Machine.Get<UNetClockSubsystem>();
			Seen.Ticks = Clock->GetServerTimeTicks();
			Seen.WorldBoundMs = Clock->GetWorldTimeErrorBoundMs();
			Seen.WorldSeconds = Machine.World->GetGameState()->GetServerWorldTimeSeconds();
		});
	}

	static FNetClockWaitHandle WaitFor(FEnded& Seen, const FMachine& Machine, double Seconds)
	{
		const int64 Now = Machine.Get<UNetClockSubsystem>()->GetServerTimeTicks();
		return WaitsOf(Machine)->WaitUntilServerTime(
			Now + static_cast<int64>(Seconds * 1e7), Save(Seen, Machine));
	}

	/** The server and the client wait for the same instants, which are all in the middle of frames. */
	DUO(WaitReached, Once, Seed + 30, Link(), NM_DedicatedServer, At(144))
	{
		Session.Run(8);
		constexpr int32 Count = 40;
		const int64 First = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks() + 20000000;
		const double FirstWorld = Session.Server->World->GetTimeSeconds() + 2;
		FEnded Server[Count], Client[Count], World[Count];
		UNetClockWaits& Waits = *WaitsOf(Peer.Machine);
		for (int32 Index = 0; Index < Count; ++Index)
		{
			const int64 Instant = First + Index * 1234567;
			WaitsOf(*Session.Server)->WaitUntilServerTime(Instant, Save(Server[Index], *Session.Server));
			Waits.WaitUntilServerTime(Instant, Save(Client[Index], Peer.Machine));
			Waits.WaitUntilServerWorldTime(
				FirstWorld + Index * 0.1234567, Save(World[Index], Peer.Machine));
		}
		Expect(Followed() > 2, "frames are followed while there are waits");
		// Checks the clock at the end of each frame. A wait must end in the frame that passes its instant.
		int32 Late = 0;
		Peer.Machine.AlsoAtEnd([&]()
		{
			for (int32 Index = 0; Index < Count; ++Index)
			{
				const bool bPassed = Peer.Clock()->GetServerTimeTicks() >= First + Index * 1234567;
				Late += bPassed && Client[Index].Times == 0 ? 1 : 0;
			}
		});
		Session.Run(8);
		for (int32 Index = 0; Index < Count; ++Index)
		{
			const int64 Instant = First + Index * 1234567;
			const FEnded &Told = Client[Index], &There = Server[Index], &OfWorld = World[Index];
			Expect(There.Reached() && Told.Reached() && OfWorld.Reached(), "each wait ends once");
			Expect(There.Ticks >= Instant && Told.Ticks >= Instant, "never before");
			Expect(OfWorld.WorldSeconds >= FirstWorld + Index * 0.1234567, "never before its world time");
			const double LateMs = static_cast<double>(Told.Ticks - Instant) * 1e-4;
			ExpectNear(Told.Last.LatenessMs, LateMs, 1e-6, "its lateness");
			ExpectIn(LateMs, 0, 12, "lateness in ms");
			ExpectIn(OfWorld.Last.LatenessMs, 0, 12, "lateness of the world time in ms");
			ExpectNear(OfWorld.Last.ErrorBoundMs, OfWorld.WorldBoundMs, 0, "reported bound of world time");
			// On the server's clock, the wait must end as late as it reports, within its error bound.
			const double TrueMs = Session.Server->Clock.At(Told.At) * 1000 - NetClock::TicksToMs(Instant);
			ExpectNear(TrueMs, LateMs, Told.Last.ErrorBoundMs + 2e-4, "lateness within the reported bound");
			Expect(There.Last.ErrorBoundMs <= 0 && There.Last.LatenessMs < 20, "no error on the server");
		}
		Expect(Late == 0, "waits end in the first frame that shows their instant");
		Expect(Followed() == 2, "only the clocks follow frames without waits");
	}

	/** The clock is first unsynced and then in holdover. Finally, the clocks of both machines step. */
	DUO(WaitThroughTrouble, Once, Seed + 31, Link(25, 4, 0, 0))
	{
		FEnded Early, EarlyWorld, Holdover, Stepped, Jumped;
		WaitsOf(Peer.Machine)->WaitUntilServerTime(1, Save(Early, Peer.Machine));
		WaitsOf(Peer.Machine)->WaitUntilServerWorldTime(-1, Save(EarlyWorld, Peer.Machine));
		// The game state provides the engine's estimate of its time, but all probes are lost.
		Peer.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		Session.Run(1);
		Expect(
			Peer.Machine.World->GetGameState() && !Peer.Clock()->IsSynced(), "unsynced, with a game state");
		Expect(Early.Times == 0 && EarlyWorld.Times == 0, "no wait ends while unsynced");
		Peer.Passes = nullptr;
		Session.Run(5);
		Expect(Early.Reached() && Early.Last.LatenessMs > 4e6, "a wait for a past time ends after the sync");
		Expect(EarlyWorld.Reached(), "a wait for a past world time ends after the sync");
		Expect(Early.At - Peer.JoinedAt <= Peer.Judged.SyncedAfter + 1e-9, "ends in the first synced frame");

		WaitFor(Holdover, Peer.Machine, 25);
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0.999;
		Session.Run(24);
		Expect(Holdover.Times == 0 && Peer.Clock()->GetStatus().State == ENetClockState::Holdover,
			"the clock is in holdover");
		Session.Run(2);
		Expect(Holdover.Reached() && Holdover.Last.ErrorBoundMs > 28,
			"the wait ends in holdover, with the current bound");
		ExpectIn(Holdover.Last.LatenessMs, 0, 20, "lateness in holdover, in ms");
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0;
		Session.Run(5);

		// A wait for an instant 5 s away must end on time even if the client's clock steps back by 3 s.
		WaitFor(Stepped, Peer.Machine, 5);
		const double Due = Session.Server->Clock.At(FDouble::State.Now) + 5;
		Session.Run(1);
		Peer.Machine.Clock.Origin -= 3;
		Session.Run(8);
		Expect(Stepped.Reached(), "ends after a step of this machine's clock");
		ExpectNear(Session.Server->Clock.At(Stepped.At), Due, 0.06, "true instant at which the wait ends");
		// The server's clock steps past the instant, so the jump ends the wait and reports the new time.
		WaitFor(Jumped, Peer.Machine, 3);
		Session.Server->Clock.Origin += 7;
		Session.Run(8);
		Expect(Jumped.Reached() && Jumped.Last.LatenessMs >= 0, "ends after a step of the server's clock");
	}

	/** A wait ends when it is cancelled, when the world ends, and when the server changes. */
	DUO(WaitEnds, Once, Seed + 32)
	{
		Session.Run(5);
		FEnded Cancelled, Travelled, Server, Refused, Other;
		UNetClockWaits* Waits = WaitsOf(Peer.Machine);
		const FNetClockWaitHandle Handle = WaitFor(Cancelled, Peer.Machine, 4);
		WaitFor(Travelled, Peer.Machine, 44);
		WaitFor(Server, *Session.Server, 44);
		Expect(Waits->CancelWait(Handle) && !Waits->CancelWait(Handle), "cancelled once");
		Expect(!Waits->CancelWait(FNetClockWaitHandle()), "an unknown wait cannot be cancelled");
		for (const double Seconds : {std::nan(""), HUGE_VAL, -HUGE_VAL})
		{
			Expect(!Waits->WaitUntilServerWorldTime(Seconds, Save(Refused, Peer.Machine)).IsValid(),
				"invalid times are rejected");
		}
		Expect(Waits->GetNumWaiting() == 1, "one wait is left");
		Session.Run(5);
		Expect(Cancelled.Times == 0 && Refused.Times == 0, "neither delegate is called");

		Session.SeamlessTravel();
		Session.Run(1);
		Expect(Travelled.Ended(ENetClockWaitEnd::WorldEnd) && Server.Ended(ENetClockWaitEnd::WorldEnd),
			"travel ends the wait on the client and on the server");
		Expect(Waits->GetNumWaiting() == 0, "an ended world has no waits");
		Expect(!Waits->WaitUntilServerTime(1, Save(Refused, Peer.Machine)).IsValid(), "it accepts no waits");
		Expect(Followed() == 2, "no other delegate stays bound");

		// A connection outlives a run of the server's clock only if the game has its own transport.
		WaitFor(Other, Peer.Machine, 40);
		UNetClockSession* Run = Session.Server->Get<UNetClockSession>();
		FSubsystemCollectionBase Collection;
		Run->Deinitialize();
		Run->Initialize(Collection);
		Session.Run(3);
		Expect(Other.Ended(ENetClockWaitEnd::OtherServer), "a different server ends the wait");
		Expect(Other.Last.LatenessMs <= 0 && Refused.Times == 0, "the wait did not reach its instant");
	}

	/** Several waits may end in one frame, and their delegates may make further calls. */
	SCENARIO(WaitOrder, Once)
	{
		FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 33);
		Session.Run(1);
		UNetClockWaits* Waits = WaitsOf(*Session.Server);
		const int64 Soon = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks() + 1000000;
		const double SoonWorld = Session.Server->World->GetTimeSeconds() + 0.1;
		std::string Order;
		FNetClockWaitHandle Doomed;
		const auto Say = [&Order](const char* Word) {
			return FNetClockWaitDelegate::CreateLambda(
				[&Order, Word](const FNetClockWaited&) { Order += Word; });
		};
		Doomed = Waits->WaitUntilServerTime(Soon + 40000, Say("doomed "));
		Waits->WaitUntilServerTime(Soon + 30000, Say("third "));
		Waits->WaitUntilServerWorldTime(SoonWorld - 0.01, Say("first "));
		Waits->WaitUntilServerTime(Soon + 10000,
			FNetClockWaitDelegate::CreateLambda(
				[&](const FNetClockWaited&)
				{
					Order += "second ";
					Expect(Waits->CancelWait(Doomed), "a wait that ends in the same frame can be cancelled");
					Waits->WaitUntilServerTime(Soon, Say("again "));
					Order += Waits->GetNumWaiting() == 1 ? "asked " : "called inside the call ";
				}));
		// All instants pass within a single long frame.
		Session.Server->Hitch = 0.3;
		Session.Run(0.1);
		Expect(Order.empty(), "no wait ends inside its call");
		Session.RunUntil([&]() { return !Order.empty(); }, 0.002);
		Expect(Order == "first second asked third ", "in order of their instants, in one frame: " + Order);
		Session.Run(0.05);
		Expect(
			Order == "first second asked third again ", "a past instant ends in the next frame: " + Order);

		FEnded Left;
		Waits->WaitUntilServerTime(Soon,
			FNetClockWaitDelegate::CreateLambda([&](const FNetClockWaited&) { Waits->Deinitialize(); }));
		Waits->WaitUntilServerTime(Soon + 1, Save(Left, *Session.Server));
		Session.Run(1);
		Expect(Left.Ended(ENetClockWaitEnd::WorldEnd), "the wait ends once, with the world");
	}

	DUO(WaitNode, Once, Seed + 34, Link(25, 4, 0, 0))
	{
		Session.Run(5);
		int32 Reached = 0, Cancelled = 0;
		double LateMs = -1, BoundMs = -1;
		const auto Begin = [&](UNetClockWaitUntil* Node)
		{
			Node->Reached.AddLambda([&](double InLateMs, double InBoundMs)
			{
				++Reached;
				LateMs = InLateMs;
				BoundMs = InBoundMs;
			});
			Node->Cancelled.AddLambda([&](double, double) { ++Cancelled; });
			Node->Activate();
			return Node;
		};
		using Node = UNetClockWaitUntil;
		UWorld* World = Peer.Machine.World;
		const int64 Now = Peer.Clock()->GetServerTimeTicks();
		const double WorldNow = World->GetGameState()->GetServerWorldTimeSeconds();
		Begin(Node::WaitUntilServerTime(World, Now + 10000000));
		Begin(Node::WaitUntilServerWorldTime(World, WorldNow + 2));
		UNetClockWaitUntil* Long = Begin(Node::WaitUntilServerTime(World, Now + 40000000));
		Session.Run(1.1);
		Expect(Reached == 1, "the wait for real time ends");
		ExpectIn(LateMs, 0, 20, "lateness in ms");
		ExpectIn(BoundMs, 0.001, 60, "bound in ms");
		Session.Run(1);
		Expect(Reached == 2, "the wait for world time ends");
		Expect(Peer.Machine.Game->Referenced.size() == 1 && FDouble::CountKept(Node::StaticClass()) == 1,
			"finished nodes are released");
		Long->Cancel();
		Long->Cancel();
		Session.Run(3);
		Expect(Reached == 2 && Cancelled == 1, "a cancelled wait never ends");
		Begin(Node::WaitUntilServerWorldTime(World, std::nan("")));
		Begin(Node::WaitUntilServerTime(nullptr, 0));
		Begin(Node::WaitServerDelay(World, std::nan("")));
		Expect(Cancelled == 4, "nodes without a time, a world or a delay are cancelled at once");
		Begin(Node::WaitServerDelay(World, 1.5));
		Session.Run(1.4);
		Expect(Reached == 2, "the delay has not ended early");
		Session.Run(0.2);
		Expect(Reached == 3, "the delay ends");
		ExpectIn(LateMs, 0, 30, "lateness of the delay in ms");
		Begin(Node::WaitServerDelay(World, -3));
		Session.Run(0.1);
		Expect(Reached == 4, "a negative delay ends in the next frame");

		// A delay starts as soon as the clock that it uses is known.
		FPeer& Late = Session.Join(At(60, 20, 900), Link(25, 4, 0, 0));
		Session.Run(0.02);
		Begin(Node::WaitServerDelay(Late.Machine.World, 0.5));
		Begin(Node::WaitUntilSynced(Late.Machine.World));
		Session.Run(0.02);
		Expect(!Late.Clock()->IsSynced() && Reached == 4, "nothing ends before the time is known");
		Session.RunUntil([&]() { return Late.Clock()->IsSynced(); }, 1.0 / 60);
		Session.Run(0.4);
		Expect(Reached == 5, "the wait for the sync ends with the first reply, with which the delay starts");
		Session.Run(0.2);
		Expect(Reached == 6, "the delay ends");
		// Both clocks are still synced in the next world.
		Session.SeamlessTravel();
		Session.RunUntil([&]() { return Late.bTravelled && Peer.bTravelled; });
		World = Peer.Machine.World;
		for (UWorld* Each : {Late.Machine.World, Session.Server->World})
		{
			const int32 Before = Reached;
			Begin(Node::WaitUntilSynced(Each));
			Expect(Reached == Before, "a wait does not end inside the call");
			Session.Run(0.1);
			Expect(Reached == Before + 1, "the wait ends in the next frame");
		}
		Begin(Node::WaitUntilServerTime(World, Now + 400000000));
		Session.Disconnect(Peer);
		World->TearDown(EEndPlayReason::Quit);
		Expect(Reached == 8 && Cancelled == 4, "the end of the world calls neither pin");
		Expect(FDouble::CountKept(Node::StaticClass()) == 0, "the end of the world releases the node");
	}
}
