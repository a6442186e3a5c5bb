// Tests connections that are saturated or that deliver properties from different times.
#include <set>

#include "NetClockCLibrary.h"
#include "StartJudge.h"

namespace Scenarios
{
	SCENARIO(Saturated, Once)
	{
		for (const auto& Ways : {std::pair{true, true}, {true, false}, {false, true}})
		{
			const bool bUp = Ways.first, bDown = Ways.second;
			FDuo Session(Seed + 90);
			FPeer& Peer = Session.Peer;
			Session.Run(15);
			const auto SetReady = [&](bool bReady)
			{
				Peer.Machine.Driver->ServerConnection->bReady = bReady || !bUp;
				Peer.ServerConnection->bReady = bReady || !bDown;
			};
			int32 Calls = 0;
			Peer.Passes = [&](const UObject* Object, const FDoubleRpc&)
			{
				Calls += Object->IsA(UNetClockComponent::StaticClass()) ? 1 : 0;
				return true;
			};
			SetReady(false);
			Session.Run(45);
			Expect(bUp ? Calls == 0 : Calls > 20, "requests while the connection was saturated", Calls);
			Expect(Peer.Dropped == 0, "the engine drops no calls", Peer.Dropped);
			const FNetClockStatus Status = Peer.Clock()->GetStatus();
			ExpectIn(Status.ErrorBoundMs, 25, 60, "the final bound, in ms");
			// The clock makes no requests that cannot be sent, so it does not miss any replies.
			Expect((Status.State == ENetClockState::Holdover) != bUp, "holdover only without replies");
			SetReady(true);
			Session.Run(10);
			Promises(Peer);
		}
	}

	/** Initial replication saturates the server's connection to a player, but reliable calls still arrive. */
	DUO(SaturatedJoin, Once, Seed + 97)
	{
		Session.RunUntil([&]() { return Peer.ServerConnection != nullptr; }, 0.001);
		Peer.ServerConnection->bReady = false;
		Session.Run(5);
		Expect(Peer.Clock()->IsSynced() && Peer.Dropped == 0, "synced by a reliable reply", Peer.Dropped);
		Peer.ServerConnection->bReady = true;
		Session.Run(10);
		Promises(Peer);
	}

	/** A change to all clocks is too long for one datagram, so the next frame sends a second datagram. */
	DUO(LongUpdates, Once, Seed + 91, Link(60, 0, 0, 0))
	{
		Session.Run(10);
		UWorld& World = *Session.Server->World;
		const auto Rate = [&](ENetClockWorldClock Clock)
		{ return Peer.Clock()->GetWorldReading(Clock).Rate; };
		double SlowestMs = 0;
		for (int32 Change = 0; Change < 20; ++Change)
		{
			const double Begun = FDouble::State.Now;
			World.bPaused = !World.bPaused;
			World.Settings->TimeDilation = World.bPaused ? 1.0f : 0.5f;
			Session.Run(0.03);
			const double Wanted = World.bPaused ? 1 : 0.5, Paused = World.bPaused ? 0 : 1;
			Session.RunUntil([&]()
			{
				return Rate(ENetClockWorldClock::Unpaused) == Wanted &&
					Rate(ENetClockWorldClock::Audio) == Paused &&
					Rate(ENetClockWorldClock::World) == Wanted * Paused;
			}, 0.002);
			SlowestMs = FMath::Max(SlowestMs, (FDouble::State.Now - Begun) * 1000);
			Session.Run(1);
		}
		// Publishing a change takes one frame. Sending the second datagram takes another frame, unless a
		// reply takes its place.
		const double LongestMs = 60 + 4 * FrameMs(*Session.Server) + 2 * FrameMs(Peer.Machine);
		ExpectIn(SlowestMs, 60, LongestMs, "ms until the client knows a change");
	}

	/** The world changes twice within a round trip, and packets are lost. Without Iris, a client may get some
	 * properties from before a change and others from after it. */
	SCENARIO(TornProperties, Once)
	{
		for (const bool bIris : {false, true})
		{
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 92);
			Session.bIris = bIris;
			FPeer& Peer = Session.Join(At(), Link(60, 4, 0.2, 0.01));
			std::set<std::string> Published;
			const auto Text = [](const TArray<uint8>& Blob)
			{
				const char* Bytes = reinterpret_cast<const char*>(Blob.GetData());
				return std::string(Bytes, static_cast<size_t>(Blob.Num()));
			};
			Session.Server->OnEnd = [&]()
			{ Published.insert(Text(*NetClock::BlobOf(*Session.Server->World->GetGameState()))); };
			int32 Mixtures = 0, Accepted = 0;
			TSharedPtr<netclock::guest> Reader = UNetClockSession::MakeReader();
			Peer.Machine.AlsoAtEnd([&]()
			{
				const AGameStateBase* State = Peer.Machine.World->GetGameState();
				const TArray<uint8>* Blob = State ? NetClock::BlobOf(*State) : nullptr;
				if (!Blob || Blob->IsEmpty()) { return; }
				const bool bMixture = Published.count(Text(*Blob)) == 0;
				const bool bRead = Reader->read_blob(Blob->GetData(), static_cast<size_t>(Blob->Num())) ==
					netclock::status::ok;
				Mixtures += bMixture ? 1 : 0;
				Accepted += bMixture == bRead ? 1 : 0;
			});
			Session.Run(10);
			for (int32 Round = 0; Round < 60; ++Round)
			{
				AWorldSettings& Rules = *Session.Server->World->Settings;
				Rules.TimeDilation = 0.3f + 0.01f * static_cast<float>(Round);
				Session.Run(0.06);
				Session.Server->World->bPaused = Round % 3 == 0;
				Rules.TimeDilation = 1.0f;
				Session.Run(0.4);
				Session.Server->World->bPaused = false;
			}
			Session.Run(2);
			Session.Server->OnEnd = nullptr;
			Promises(Peer);
			Expect(bIris ? Mixtures == 0 : Mixtures > 10, "frames with a mixture of two blobs", Mixtures);
			ExpectNone(Accepted, "mixtures were read, or whole blobs were not");
			Expect(Text(*NetClock::BlobOf(*Peer.Machine.World->GetGameState())) ==
					Text(*NetClock::BlobOf(*Session.Server->World->GetGameState())),
				"in the end the client has the server's blob");
		}
	}
}
