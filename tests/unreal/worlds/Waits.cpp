// Waits for instants of the server's time: they end once, never early, and always.
#include "Scenarios.h"

namespace Scenarios
{
	/** The result of one wait, and what the clock showed then. */
	struct FHeard
	{
		int32 Times = 0;
		FNetClockWaited Last;
		int64 Ticks = 0;
		double WorldSeconds = 0, WorldBoundMs = 0, At = 0;

		bool Ended(ENetClockWaitEnd End) const { return Times == 1 && Last.End == End; }
		bool Reached() const { return Ended(ENetClockWaitEnd::Reached); }
	};

	static UNetClockWaits* WaitsOf(const FMachine& Machine) { return Machine.Get<UNetClockWaits>(); }

	static FNetClockWaitDelegate Hear(FHeard& Heard, const FMachine& Machine)
	{
		return FNetClockWaitDelegate::CreateLambda([&Heard, &Machine](const FNetClockWaited& Waited)
		{
			++Heard.Times;
			Heard.Last = Waited;
			Heard.At = Machine.TickStart;
			if (Waited.End == ENetClockWaitEnd::WorldEnd) { return; }
			const UNetClockSubsystem* Clock = Machine.Get<UNetClockSubsystem>();
			Heard.Ticks = Clock->GetServerTimeTicks();
			Heard.WorldBoundMs = Clock->GetWorldTimeErrorBoundMs();
			Heard.WorldSeconds =
				static_cast<double>(Machine.World->GetGameState()->GetServerWorldTimeSeconds());
		});
	}

	/** Waits for a server time, in seconds from now by the machine's own clock. */
	static FNetClockWaitHandle WaitFor(FHeard& Heard, const FMachine& Machine, double Seconds)
	{
		const int64 Now = Machine.Get<UNetClockSubsystem>()->GetServerTimeTicks();
		return WaitsOf(Machine)->WaitUntilServerTime(
			Now + static_cast<int64>(Seconds * 1e7), Hear(Heard, Machine));
	}

	/** Server and client wait for the same instants, which fall into the middle of frames. */
	SCENARIO(WaitReached, Once)
	{
		FDuo Session(Seed + 30, Link(), NM_DedicatedServer, At(144));
		FPeer& Peer = Session.Peer;
		Session.Run(8);
		constexpr int32 Count = 40;
		const int64 First = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks() + 20000000;
		const double FirstWorld = static_cast<double>(Session.Server->World->GetTimeSeconds()) + 2;
		FHeard Server[Count], Client[Count], World[Count];
		UNetClockWaits& Waits = *WaitsOf(Peer.Machine);
		for (int32 Index = 0; Index < Count; ++Index)
		{
			const int64 Instant = First + Index * 1234567;
			WaitsOf(*Session.Server)->WaitUntilServerTime(Instant, Hear(Server[Index], *Session.Server));
			Waits.WaitUntilServerTime(Instant, Hear(Client[Index], Peer.Machine));
			Waits.WaitUntilServerWorldTime(
				FirstWorld + Index * 0.1234567, Hear(World[Index], Peer.Machine));
		}
		Expect(FWorldDelegates::OnWorldPreActorTick.IsBound(), "frames are followed while there are waits");
		// Compares the shown time at the end of each frame: a wait must have ended in the frame that passes
		// its instant.
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
			const FHeard &Told = Client[Index], &There = Server[Index], &OfWorld = World[Index];
			Expect(There.Reached() && Told.Reached() && OfWorld.Reached(), "each wait ends once");
			Expect(There.Ticks >= Instant && Told.Ticks >= Instant, "never before");
			Expect(OfWorld.WorldSeconds >= FirstWorld + Index * 0.1234567, "never before the world's time");
			const double LateMs = static_cast<double>(Told.Ticks - Instant) * 1e-4;
			ExpectNear(Told.Last.LatenessMs, LateMs, 1e-6, "its lateness");
			ExpectIn(LateMs, 0, 12, "late by up to a frame");
			ExpectIn(OfWorld.Last.LatenessMs, 0, 12, "the same of the world's time");
			ExpectNear(OfWorld.Last.ErrorBoundMs, OfWorld.WorldBoundMs, 0, "with its bound");
			// By the true server clock, the client's wait ended at the instant, apart from its lateness and
			// its bound.
			const double TrueMs =
				(Session.Server->Clock.At(Told.At) - static_cast<double>(Instant) * 1e-7) * 1000;
			ExpectNear(TrueMs, LateMs, Told.Last.ErrorBoundMs + 2e-4, "within the reported bound");
			Expect(There.Last.ErrorBoundMs <= 0 && There.Last.LatenessMs < 20, "exact on the server");
		}
		Expect(Late == 0, "in the first frame that shows it");
		Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), "nothing runs without waits");
	}

	/** While unsynced, in holdover, and when either clock steps. */
	SCENARIO(WaitThroughTrouble, Once)
	{
		FDuo Session(Seed + 31, Link(25, 4, 0, 0));
		FPeer& Peer = Session.Peer;
		FHeard Early, EarlyWorld, Holdover, Stepped, Jumped;
		WaitsOf(Peer.Machine)->WaitUntilServerTime(1, Hear(Early, Peer.Machine));
		WaitsOf(Peer.Machine)->WaitUntilServerWorldTime(-1, Hear(EarlyWorld, Peer.Machine));
		// The game state arrives with the engine's guess of its time, but no probe gets through.
		Peer.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		Session.Run(1);
		Expect(
			Peer.Machine.World->GetGameState() && !Peer.Clock()->IsSynced(), "unsynced, with a game state");
		Expect(Early.Times == 0 && EarlyWorld.Times == 0, "not while unsynced");
		Peer.Passes = nullptr;
		Session.Run(5);
		Expect(Early.Reached() && Early.Last.LatenessMs > 4e6, "a time long past, when synced");
		Expect(EarlyWorld.Reached(), "a world time past, when synced");
		Expect(Early.At - Peer.JoinedAt <= Peer.Judged.SyncedAfter + 1e-9, "in the first synced frame");

		WaitFor(Holdover, Peer.Machine, 25);
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0.999;
		Session.Run(24);
		Expect(Holdover.Times == 0 && Peer.Clock()->GetStatus().State == ENetClockState::Holdover,
			"the clock is in holdover");
		Session.Run(2);
		Expect(Holdover.Reached() && Holdover.Last.ErrorBoundMs > 28,
			"reached in holdover, with the bound of then");
		ExpectIn(Holdover.Last.LatenessMs, 0, 20, "and no later than a frame");
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0;
		Session.Run(5);

		// The client's clock steps back by 3 s. An instant that was 5 s away still is, once the step is
		// known.
		WaitFor(Stepped, Peer.Machine, 5);
		const double Due = Session.Server->Clock.At(FDouble::State.Now) + 5;
		Session.Run(1);
		Peer.Machine.Clock.Origin -= 3;
		Session.Run(8);
		Expect(Stepped.Reached(), "after a step of this machine's clock");
		ExpectNear(Session.Server->Clock.At(Stepped.At), Due, 0.06, "at the true instant");
		// The server's clock steps forward, past the instant. The jump ends the wait, with the time that is
		// shown then.
		WaitFor(Jumped, Peer.Machine, 3);
		Session.Server->Clock.Origin += 7;
		Session.Run(8);
		Expect(Jumped.Reached() && Jumped.Last.LatenessMs >= 0, "after a step of the server's clock");
	}

	/** Every wait ends: by cancelling, with the world, or when the server is a different one. */
	SCENARIO(WaitEnds, Once)
	{
		FDuo Session(Seed + 32);
		FPeer& Peer = Session.Peer;
		Session.Run(5);
		FHeard Cancelled, Travelled, Server, Refused, Other;
		UNetClockWaits* Waits = WaitsOf(Peer.Machine);
		const FNetClockWaitHandle Handle = WaitFor(Cancelled, Peer.Machine, 4);
		WaitFor(Travelled, Peer.Machine, 44);
		WaitFor(Server, *Session.Server, 44);
		Expect(Waits->CancelWait(Handle) && !Waits->CancelWait(Handle), "cancelled once");
		Expect(!Waits->CancelWait(FNetClockWaitHandle()), "what was never asked for is not cancelled");
		for (const double Seconds : {std::nan(""), HUGE_VAL, -HUGE_VAL})
		{
			Expect(!Waits->WaitUntilServerWorldTime(Seconds, Hear(Refused, Peer.Machine)).IsValid(),
				"what is no time is refused");
		}
		Expect(Waits->GetNumWaiting() == 1, "one is left");
		Session.Run(5);
		Expect(Cancelled.Times == 0 && Refused.Times == 0, "neither delegate is called");

		Session.SeamlessTravel();
		Session.Run(1);
		Expect(Travelled.Ended(ENetClockWaitEnd::WorldEnd) && Server.Ended(ENetClockWaitEnd::WorldEnd),
			"travel ends it, on the client and on the server");
		Expect(Waits->GetNumWaiting() == 0, "no waits in a world that has ended");
		Expect(!Waits->WaitUntilServerTime(1, Hear(Refused, Peer.Machine)).IsValid(), "and no new ones");
		Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), "nothing is left behind");

		// A different run of the server's clock on the same connection, which can only happen with a game's
		// own transport.
		WaitFor(Other, Peer.Machine, 40);
		UNetClockSession* Run = Session.Server->Get<UNetClockSession>();
		FSubsystemCollectionBase Collection;
		Run->Deinitialize();
		Run->Initialize(Collection);
		Session.Run(3);
		Expect(Other.Ended(ENetClockWaitEnd::OtherServer), "another server ends it");
		Expect(Other.Last.LatenessMs <= 0 && Refused.Times == 0, "without having reached anything");
	}

	/** Several waits end in one frame, and a delegate may make further calls. */
	SCENARIO(WaitOrder, Once)
	{
		FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 33);
		Session.Run(1);
		UNetClockWaits* Waits = WaitsOf(*Session.Server);
		const int64 Soon = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks() + 1000000;
		const double SoonWorld = static_cast<double>(Session.Server->World->GetTimeSeconds()) + 0.1;
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
					Expect(Waits->CancelWait(Doomed), "one that ends in the same frame can be cancelled");
					Waits->WaitUntilServerTime(Soon, Say("again "));
					Order += Waits->GetNumWaiting() == 1 ? "asked " : "called inside the call ";
				}));
		// One long frame passes all of them.
		Session.Server->Hitch = 0.3;
		Session.Run(0.1);
		Expect(Order.empty(), "not inside the call");
		Session.RunUntil([&]() { return !Order.empty(); }, 0.002);
		Expect(Order == "first second asked third ", "by their instants, in one frame: " + Order);
		Session.Run(0.05);
		Expect(
			Order == "first second asked third again ", "a past instant ends in the next frame: " + Order);

		// A delegate may end the world.
		FHeard Left;
		Waits->WaitUntilServerTime(Soon,
			FNetClockWaitDelegate::CreateLambda([&](const FNetClockWaited&) { Waits->Deinitialize(); }));
		Waits->WaitUntilServerTime(Soon + 1, Hear(Left, *Session.Server));
		Session.Run(1);
		Expect(Left.Ended(ENetClockWaitEnd::WorldEnd), "it ends once, with the end of the world");
	}

	/** The Blueprint node: its pins, and that nothing keeps the node afterwards. */
	SCENARIO(WaitNode, Once)
	{
		FDuo Session(Seed + 34, Link(25, 4, 0, 0));
		FPeer& Peer = Session.Peer;
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
		const double WorldNow = static_cast<double>(World->GetGameState()->GetServerWorldTimeSeconds());
		Begin(Node::WaitUntilServerTime(World, Now + 10000000));
		Begin(Node::WaitUntilServerWorldTime(World, WorldNow + 2));
		UNetClockWaitUntil* Long = Begin(Node::WaitUntilServerTime(World, Now + 40000000));
		Session.Run(1.1);
		Expect(Reached == 1, "real time is reached");
		ExpectIn(LateMs, 0, 20, "late by a frame at most");
		ExpectIn(BoundMs, 0.001, 60, "with its bound");
		Session.Run(1);
		Expect(Reached == 2, "world time is reached");
		Expect(Peer.Machine.Game->Referenced.size() == 1 && FDouble::CountKept(Node::StaticClass()) == 1,
			"those are let go");
		Long->Cancel();
		Long->Cancel();
		Session.Run(3);
		Expect(Reached == 2 && Cancelled == 1, "cancelled once, and never reached");
		Begin(Node::WaitUntilServerWorldTime(World, std::nan("")));
		Begin(Node::WaitUntilServerTime(nullptr, 0));
		Begin(Node::WaitServerDelay(World, std::nan("")));
		Expect(Cancelled == 4, "no time, no world and no delay are cancelled at once");
		Begin(Node::WaitServerDelay(World, 1.5));
		Session.Run(1.4);
		Expect(Reached == 2, "not before its end");
		Session.Run(0.2);
		Expect(Reached == 3, "at its end");
		ExpectIn(LateMs, 0, 30, "within a frame");
		Begin(Node::WaitServerDelay(World, -3));
		Session.Run(0.1);
		Expect(Reached == 4, "a delay of the past ends in the next frame");

		// A delay counts from the moment when its time is known.
		FPeer& Late = Session.Join(At(60, 20, 900), Link(25, 4, 0, 0));
		Session.Run(0.02);
		Begin(Node::WaitServerDelay(Late.Machine.World, 0.5));
		Expect(!Late.Clock()->IsSynced(), "its time is not known yet");
		Session.RunUntil([&]() { return Late.Clock()->IsSynced(); }, 1.0 / 60);
		Session.Run(0.4);
		Expect(Late.Clock()->IsSynced() && Reached == 4, "it begins with the first reply");
		Session.Run(0.2);
		Expect(Reached == 5, "and ends after it");
		Begin(Node::WaitUntilServerTime(World, Now + 400000000));
		Session.Disconnect(Peer);
		World->TearDown(EEndPlayReason::Quit);
		Expect(Reached == 5 && Cancelled == 4, "the end of the world calls neither pin");
		Expect(FDouble::CountKept(Node::StaticClass()) == 0, "and lets it go");
	}
}
