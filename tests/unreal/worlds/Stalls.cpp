// Tests servers that do not answer. The clock must never cause a connection to close, and clients must not
// send requests to a server without a clock.
#include "StartJudge.h"

namespace Scenarios
{
	/** The server stalls before its first reply, for example while it loads a level. */
	SCENARIO(StalledServer, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 46);
		std::vector<int32> Reliable(3), Calls(3);
		for (const double Fps : {30.0, 60.0, 144.0}) { Session.Join(At(Fps), Link()); }
		for (const auto& Peer : Session.Peers)
		{
			Session.RunUntil([&]() { return Peer->ServerController != nullptr; }, 0.001);
		}
		Session.Run(0.02);
		for (size_t Index = 0; Index < 3; ++Index)
		{
			Session.Peers[Index]->Passes = [&, Index](const UObject* Object, const FDoubleRpc& Rpc)
			{
				++Calls[Index];
				Reliable[Index] += Rpc.bReliable && Object->IsA(UNetClockComponent::StaticClass()) ? 1 : 0;
				return true;
			};
		}
		Session.Server->Suspend(30, true);
		Session.Run(29);
		const std::vector<int32> Before = Calls;
		Session.Run(0.9);
		for (size_t Index = 0; Index < 3; ++Index)
		{
			const FPeer& Peer = *Session.Peers[Index];
			const std::string Who = "client " + std::to_string(Index) + ": ";
			Expect(Peer.bConnected && Peer.Overflows == 0, Who + "keeps its connection");
			ExpectIn(Reliable[Index], 1, 3, Who + "reliable requests");
			ExpectIn(Calls[Index], 21, 89, Who + "calls in 30 s");
			Expect(Calls[Index] - Before[Index] <= 2, Who + "at most one request per second in the end");
		}
		Session.Run(16);
		for (const auto& Peer : Session.Peers)
		{
			// The world stood still for 30 s while the engine's clock ran on. The plugin must report this
			// jump exactly once.
			const FJudged& Seen = Peer->Judged;
			Expect(Seen.OutsideBound == 0 && Seen.OutsideRealBound == 0 && Seen.Unequal == 0,
				"no frame is outside the bound of the world time", Seen.OutsideBound);
			Expect(Seen.Backwards == 1, "the time goes back in one frame", Seen.Backwards);
			// The first reply answers a request that waited for up to 1.3 s. The bound includes this wait.
			// The next reply corrects the clock. In 1 of 24 runs, the correction takes two replies.
			const int32 Corrections = CountCause(*Peer, ENetClockCause::Correction);
			Expect(CountCause(*Peer, ENetClockCause::WorldJump) == 1 && Corrections <= 2 &&
					Seen.Causes.size() <= 3,
				"the jump is reported once", Corrections);
			// Each lost exchange delays the sync by 4/3 s. In 1 of 1,000 runs, two exchanges are lost.
			ExpectIn(Seen.SyncedAfter, 29, 34, "synced after (s)");
		}
	}

	/** The world loses too little time for a jump, so the shown time waits for the world and stays within its
	 * bound. */
	DUO(BriefStall, Once, Seed + 49, Link(25, 4, 0, 0))
	{
		// Until the world time is known, the plugin shows the engine's clock, and that clock would jump back.
		Session.RunUntil([&]() { return Peer.Clock()->IsWorldTimeKnown(); }, 0.001);
		Session.Server->Suspend(0.6, true);
		Session.Run(5);
		Promises(Peer);
		Expect(Peer.Judged.Causes.empty(), "no discontinuity is reported");
		// The path takes 25 ms, and its jitter is rarely more than 28 ms. In addition, the message waits for
		// a server frame and a client frame.
		const double LongestMs = 53 + 0.5 * FrameMs(*Session.Server) + FrameMs(Peer.Machine);
		ExpectIn(Peer.Judged.OutsideIfUnchanged, 1, LongestMs * 60e-3 + 1,
			"frames outside the bound for an unchanged world");
		Expect(Peer.Judged.WorstMs > 50, "largest error (ms)", Peer.Judged.WorstMs);
	}

	/** The server has the plugin but not the library. */
	DUO(ServerWithoutClock, Always, Seed + 47)
	{
		// The server in this test does have a library, so the test sets the replicated property itself.
		Session.Run(1);
		Peer.ServerComponent()->bServerHasNoClock = true;
		const int32 Warnings = FDouble::State.Warnings;
		Session.Run(2);
		const int32 Calls = Peer.CallsUp;
		Session.Run(20);
		Expect(Peer.Component() && Peer.bConnected && Peer.CallsUp == Calls,
			"a client makes no calls to a server without a clock", Peer.CallsUp - Calls);
		// Simulates a change to another property with the same OnRep.
		for (const FDoubleProperty& Property : UNetClockComponent::StaticClass()->Properties)
		{
			if (Property.Notify) { Property.Notify(Peer.Component()); }
		}
		// Shipping builds have no log.
		Expect(FDouble::State.Warnings == Warnings + (NO_LOGGING ? 0 : 1), "logged once",
			FDouble::State.Warnings - Warnings);
		FPeer& Other = Session.Join(At(60, 15, 30), Link());
		Session.Run(5);
		Expect(Other.Clock()->IsSynced(), "a client that was not told this keeps making requests");
	}

	/** The component's owner is not a player controller. */
	SCENARIO(ComponentElsewhere, Tools)
	{
		const int32 Warnings = FDouble::State.Warnings;
		FDuo Session(Seed + 48);
		Session.Run(2);
		Expect(FDouble::State.Warnings == Warnings, "a component on a controller logs no warning");
		for (int32 Index = 0; Index < 2; ++Index)
		{
			NewObject<UNetClockComponent>(Session.Peer.Machine.World->SpawnDouble<AActor>())
				->RegisterComponent();
		}
		Session.Run(1);
		Expect(FDouble::State.Warnings == Warnings + 1, "one warning", FDouble::State.Warnings - Warnings);
		Expect(Session.Peer.Clock()->IsSynced(), "the player's own component still works");
	}
}
