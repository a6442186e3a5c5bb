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
		double WorldSeconds = 0;
		double WorldBoundMs = 0;
		double At = 0;
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

	static bool Reached(const FHeard& Heard)
	{
		return Heard.Times == 1 && Heard.Last.End == ENetClockWaitEnd::Reached;
	}

	/** Server and client wait for the same instants, which fall into the middle of frames. */
	SCENARIO(WaitReached, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 30);
		FPeer& Peer = Session.Join(At(144, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(8);
		constexpr int32 Count = 40;
		const int64 First = Session.Server->Get<UNetClockSubsystem>()->GetServerTimeTicks() + 20000000;
		const double FirstWorld = static_cast<double>(Session.Server->World->GetTimeSeconds()) + 2;
		FHeard Server[Count], Client[Count], World[Count];
		UNetClockWaits& Waits = *WaitsOf(Peer.Machine);
		for (int32 Index = 0; Index < Count; ++Index)
		{
			const int64 Instant = First + Index * 1234567;
			const double WorldInstant = FirstWorld + Index * 0.1234567;
			WaitsOf(*Session.Server)->WaitUntilServerTime(Instant, Hear(Server[Index], *Session.Server));
			Waits.WaitUntilServerTime(Instant, Hear(Client[Index], Peer.Machine));
			Waits.WaitUntilServerWorldTime(WorldInstant, Hear(World[Index], Peer.Machine));
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
			const FHeard& Told = Client[Index];
			Expect(Reached(Server[Index]) && Reached(Told) && Reached(World[Index]), "each wait ends once");
			Expect(Server[Index].Ticks >= Instant && Told.Ticks >= Instant, "never before");
			Expect(
				World[Index].WorldSeconds >= FirstWorld + Index * 0.1234567, "never before the world's time");
			const double LateMs = static_cast<double>(Told.Ticks - Instant) * 1e-4;
			Expect(FMath::Abs(Told.Last.LatenessMs - LateMs) < 1e-6 && LateMs < 12, "late by up to a frame",
				LateMs);
			const FNetClockWaited& OfWorld = World[Index].Last;
			Expect(OfWorld.LatenessMs < 12, "the same of the world's time", OfWorld.LatenessMs);
			ExpectNear(OfWorld.ErrorBoundMs, World[Index].WorldBoundMs, 0, "with its bound");
			// By the true server clock, the client's wait ended at the instant, apart from its lateness and
			// its bound.
			const double TrueMs =
				(Session.Server->Clock.At(Told.At) - static_cast<double>(Instant) * 1e-7) * 1000;
			ExpectNear(TrueMs, LateMs, Told.Last.ErrorBoundMs + 2e-4, "within the reported bound");
			Expect(Server[Index].Last.ErrorBoundMs <= 0 && Server[Index].Last.LatenessMs < 20,
				"exact on the server");
		}
		Expect(Late == 0, "in the first frame that shows it");
		Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), "nothing runs without waits");
	}

	/** While unsynced, in holdover, when either clock steps, and on a machine that was suspended. */
	SCENARIO(WaitThroughTrouble, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 31);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0, 0));
		FHeard Early, EarlyWorld;
		UNetClockWaits& Waits = *WaitsOf(Peer.Machine);
		Waits.WaitUntilServerTime(1, Hear(Early, Peer.Machine));
		Waits.WaitUntilServerWorldTime(-1, Hear(EarlyWorld, Peer.Machine));
		const auto After = [&Peer](int64 Ticks) { return Peer.Clock()->GetServerTimeTicks() + Ticks; };
		// The game state arrives with the engine's guess of its time, but no probe gets through.
		Peer.Passes = [](const UObject*, const FDoubleRpc&) { return false; };
		Session.Run(1);
		Expect(
			Peer.Machine.World->GetGameState() && !Peer.Clock()->IsSynced(), "unsynced, with a game state");
		Expect(Early.Times == 0 && EarlyWorld.Times == 0, "not while unsynced");
		Peer.Passes = nullptr;
		Session.Run(5);
		Expect(Reached(Early) && Early.Last.LatenessMs > 4e6, "a time long past, when synced");
		Expect(Reached(EarlyWorld), "a world time past, when synced");
		Expect(Early.At - Peer.JoinedAt <= Peer.Judged.SyncedAfter + 1e-9, "in the first synced frame");

		// From now on, nothing gets through.
		FHeard Holdover;
		Waits.WaitUntilServerTime(After(250000000), Hear(Holdover, Peer.Machine));
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0.999;
		Session.Run(24);
		Expect(Holdover.Times == 0 && Peer.Clock()->GetStatus().State == ENetClockState::Holdover,
			"the clock is in holdover");
		Session.Run(2);
		Expect(Reached(Holdover) && Holdover.Last.ErrorBoundMs > 28,
			"reached in holdover, with the bound of then");
		ExpectIn(Holdover.Last.LatenessMs, 0, 20, "and no later than a frame");
		Peer.Link.Up.Loss = Peer.Link.Down.Loss = 0;
		Session.Run(5);

		// The client's clock steps back by 3 s. An instant that was 5 s away still is, once the step is
		// known.
		FHeard Stepped;
		const int64 Instant = After(50000000);
		Waits.WaitUntilServerTime(Instant, Hear(Stepped, Peer.Machine));
		Session.Run(1);
		Peer.Machine.Clock.Origin -= 3;
		Session.Run(8);
		const double TrueMs =
			(Session.Server->Clock.At(Stepped.At) - static_cast<double>(Instant) * 1e-7) * 1000;
		Expect(Reached(Stepped) && FMath::Abs(TrueMs) < 60, "after a step of this machine's clock, off by",
			TrueMs);
		// The server's clock steps forward, past the instant. The jump ends the wait, with the time that is
		// shown then.
		FHeard Jumped;
		Waits.WaitUntilServerTime(After(30000000), Hear(Jumped, Peer.Machine));
		Session.Server->Clock.Origin += 7;
		Session.Run(8);
		Expect(Reached(Jumped) && Jumped.Last.LatenessMs >= 0, "after a step of the server's clock");
	}

	/** Every wait ends: by cancelling, with the world, or when the server is a different one. */
	SCENARIO(WaitEnds, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 32);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		FHeard Cancelled, Travelled, Server, Refused, Other;
		UNetClockWaits* Waits = WaitsOf(Peer.Machine);
		const int64 Later = Peer.Clock()->GetServerTimeTicks() + 40000000;
		const FNetClockWaitHandle Handle = Waits->WaitUntilServerTime(Later, Hear(Cancelled, Peer.Machine));
		Waits->WaitUntilServerTime(Later + 400000000, Hear(Travelled, Peer.Machine));
		WaitsOf(*Session.Server)->WaitUntilServerTime(Later + 400000000, Hear(Server, *Session.Server));
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
		Expect(Travelled.Times == 1 && Travelled.Last.End == ENetClockWaitEnd::WorldEnd,
			"travel ends it, on the client");
		Expect(Server.Times == 1 && Server.Last.End == ENetClockWaitEnd::WorldEnd, "and on the server");
		Expect(Waits->GetNumWaiting() == 0, "no waits in a world that has ended");
		Expect(!Waits->WaitUntilServerTime(Later, Hear(Refused, Peer.Machine)).IsValid(), "and no new ones");
		Expect(!FWorldDelegates::OnWorldPreActorTick.IsBound(), "nothing is left behind");

		// A different run of the server's clock on the same connection, which can only happen with a game's
		// own transport.
		WaitsOf(Peer.Machine)
			->WaitUntilServerTime(Peer.Clock()->GetServerTimeTicks() + 400000000, Hear(Other, Peer.Machine));
		UNetClockSession* Run = Session.Server->Get<UNetClockSession>();
		FSubsystemCollectionBase Collection;
		Run->Deinitialize();
		Run->Initialize(Collection);
		Session.Run(3);
		Expect(Other.Times == 1 && Other.Last.End == ENetClockWaitEnd::OtherServer, "another server ends it");
		Expect(Other.Last.LatenessMs <= 0 && Refused.Times == 0, "without having reached anything");
	}

	/** Several waits end in one frame, and a delegate may make further calls. */
	SCENARIO(WaitOrder, Once)
	{
		FSession Session(At(60, 10, 5000), NM_Standalone, Seed + 33);
		Session.Run(1);
		UNetClockWaits* Waits = WaitsOf(*Session.Server);
		const UNetClockSubsystem* Clock = Session.Server->Get<UNetClockSubsystem>();
		const int64 Soon = Clock->GetServerTimeTicks() + 1000000;
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
		for (int32 Step = 0; Step < 200 && Order.empty(); ++Step) { Session.Run(0.002); }
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
		Expect(Left.Times == 1 && Left.Last.End == ENetClockWaitEnd::WorldEnd,
			"it ends once, with the end of the world");
	}

	/** Counts the events on the pins of Blueprint nodes. */
	struct FPins
	{
		UNetClockWaitUntil* Begin(UNetClockWaitUntil* Node)
		{
			Node->Reached.AddLambda(
				[this](double InLateMs, double InBoundMs)
				{
					++Reached;
					LateMs = InLateMs;
					BoundMs = InBoundMs;
				});
			Node->Cancelled.AddLambda([this](double, double) { ++Cancelled; });
			Node->Activate();
			return Node;
		}
		void Delay(const FPeer& Peer, double Seconds)
		{
			Begin(UNetClockWaitUntil::WaitServerDelay(Peer.Machine.World, Seconds));
		}
		int32 Reached = 0, Cancelled = 0;
		double LateMs = -1, BoundMs = -1;
	};

	/** A delay is counted by the server's clock, from the moment when its time is known. */
	static void WaitDelay(FSession& Session, FPeer& Peer)
	{
		FPins Pins;
		Pins.Delay(Peer, 1.5);
		Session.Run(1.4);
		Expect(Pins.Reached == 0, "not before its end");
		Session.Run(0.2);
		Expect(Pins.Reached == 1, "at its end");
		ExpectIn(Pins.LateMs, 0, 30, "within a frame");
		Pins.Delay(Peer, -3);
		Session.Run(0.1);
		Expect(Pins.Reached == 2, "a delay of the past ends in the next frame");
		Pins.Delay(Peer, std::nan(""));
		Expect(Pins.Cancelled == 1, "no delay is cancelled at once");

		FPeer& Late = Session.Join(At(60, 20, 900), Link(25, 4, 0, 0));
		Session.Run(0.02);
		Expect(!Late.Clock()->IsSynced(), "its time is not known yet");
		Pins.Delay(Late, 0.5);
		for (int32 Frame = 0; Frame < 600 && !Late.Clock()->IsSynced(); ++Frame) { Session.Run(1.0 / 60); }
		Expect(Late.Clock()->IsSynced() && Pins.Reached == 2, "it waits for the first reply");
		Session.Run(0.4);
		Expect(Pins.Reached == 2, "and begins then");
		Session.Run(0.2);
		Expect(Pins.Reached == 3, "and ends after it");
		Session.Disconnect(Late);
	}

	/** The Blueprint node: its pins, and that nothing keeps the node afterwards. */
	SCENARIO(WaitNode, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 34);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		FPins Pins;
		UWorld* World = Peer.Machine.World;
		const int64 Now = Peer.Clock()->GetServerTimeTicks();
		const double WorldNow = static_cast<double>(World->GetGameState()->GetServerWorldTimeSeconds());
		Pins.Begin(UNetClockWaitUntil::WaitUntilServerTime(World, Now + 10000000));
		Pins.Begin(UNetClockWaitUntil::WaitUntilServerWorldTime(World, WorldNow + 2));
		UNetClockWaitUntil* Long = Pins.Begin(UNetClockWaitUntil::WaitUntilServerTime(World, Now + 40000000));
		Session.Run(1.1);
		Expect(Pins.Reached == 1, "real time is reached");
		ExpectIn(Pins.LateMs, 0, 20, "late by a frame at most");
		ExpectIn(Pins.BoundMs, 0.001, 60, "with its bound");
		Session.Run(1);
		Expect(Pins.Reached == 2, "world time is reached");
		const auto Kept = [&]() { return FDouble::CountKept(UNetClockWaitUntil::StaticClass()); };
		Expect(Peer.Machine.Game->Referenced.size() == 1 && Kept() == 1, "those are let go");
		Long->Cancel();
		Long->Cancel();
		Session.Run(3);
		Expect(Pins.Reached == 2 && Pins.Cancelled == 1, "cancelled once, and never reached");
		Pins.Begin(UNetClockWaitUntil::WaitUntilServerWorldTime(World, std::nan("")));
		Expect(Pins.Cancelled == 2, "no time is cancelled at once");
		Pins.Begin(UNetClockWaitUntil::WaitUntilServerTime(nullptr, 0));
		Expect(Pins.Cancelled == 3, "no world is cancelled at once");
		WaitDelay(Session, Peer);
		Pins.Begin(UNetClockWaitUntil::WaitUntilServerTime(World, Now + 400000000));
		Session.Disconnect(Peer);
		World->TearDown(EEndPlayReason::Quit);
		Expect(Pins.Reached == 2 && Pins.Cancelled == 3, "the end of the world calls neither pin");
		Expect(Peer.Machine.Game->Referenced.empty() && Kept() == 0, "nothing is kept");
	}
}
