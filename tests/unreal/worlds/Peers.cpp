// Players at a relay share a clock, even after the primary has left. The library's own tests cover lost
// messages.
#include "NetClock/Peers/NetClockPeer.h"
#include "Scenarios.h"

namespace Scenarios
{
	constexpr int64 GameId = 4711;

	struct FPlayer
	{
		FPlayer(FMachineSettings Settings, FDice InDice) : Machine(Settings, NM_Standalone, InDice) {}

		FMachine Machine;
		UNetClockPeer* Peer = nullptr;
		/** Set if the player's process has ended without notice. */
		bool bGone = false;
		int32 Changes = 0, Backwards = 0;
		FNetClockPeerStatus Last;
		double LastAt = 0;
	};

	/** A relay and peers, each with its own game and world. Messages take 20 to 30 ms. */
	struct FParty
	{
		explicit FParty(uint64 Seed) : Dice{Seed}
		{
			FDouble::State.Now = 0;
			FDouble::State.Dice = FDice{Dice.Next()};
			// The relay runs at 30 frames per second, so it holds messages for up to 33 ms.
			RelayMachine = std::make_unique<FMachine>(At(30, 45, 9000), NM_Standalone, FDice{Dice.Next()});
			RelayMachine->Enter(0);
			Relay = UNetClockRelay::OpenRelay(RelayMachine->World, 4, 4, 3);
			Relay->OnSend.AddLambda([this](int64 Connection, const TArray<uint8>& Bytes)
			{
				FPlayer& Player = *Players[static_cast<size_t>(Connection)];
				Player.Machine.Deliver(Arrival(), [Bytes, &Player]() { Player.Peer->ReceiveBytes(Bytes); });
			});
		}

		~FParty()
		{
			for (const auto& Player : Players) { Player->Machine.Quit(); }
			RelayMachine->Quit();
		}

		FPlayer& Join(FMachineSettings Settings)
		{
			const int64 Connection = static_cast<int64>(Players.size());
			Players.push_back(std::make_unique<FPlayer>(Settings, FDice{Dice.Next()}));
			FPlayer& Player = *Players.back();
			Player.Machine.Enter();
			Player.Peer = UNetClockPeer::JoinGame(Player.Machine.World, GameId);
			Player.Peer->OnSend.AddLambda([this, &Player, Connection](const TArray<uint8>& Bytes)
			{
				RelayMachine->Deliver(Arrival(), [this, &Player, Connection, Bytes]()
					{ if (!Player.bGone) { Relay->ReceiveBytes(Connection, Bytes); } });
			});
			Player.Peer->OnPeerChanged.AddLambda([&Player](const FNetClockPeerStatus&) { ++Player.Changes; });
			Player.Machine.OnEnd = [&Player]()
			{
				const FNetClockPeerStatus Status = Player.Peer->GetPeerStatus();
				const bool bGoesOn =
					Status.Stage == ENetClockPeerStage::Playing && Player.Last.Stage == Status.Stage;
				Player.Backwards += bGoesOn && Status.SharedTicks < Player.Last.SharedTicks ? 1 : 0;
				Player.Last = Status;
				Player.LastAt = Player.Machine.TickStart;
			};
			return Player;
		}

		void Run(double Seconds)
		{
			const double End = Now + Seconds;
			for (;;)
			{
				FMachine* Next = RelayMachine.get();
				for (const auto& Player : Players)
				{
					const bool bFirst = !Player->bGone && Player->Machine.NextFrame < Next->NextFrame;
					Next = bFirst ? &Player->Machine : Next;
				}
				if (Next->NextFrame >= End) { break; }
				Next->Frame();
			}
			FDouble::State.Now = Now = End;
		}

		FPlayer* Primary()
		{
			for (const auto& Player : Players)
			{
				if (!Player->bGone && Player->Peer->GetPeerStatus().bIsPrimary) { return Player.get(); }
			}
			return nullptr;
		}

		double Arrival() { return FDouble::State.Now + 0.020 + 0.010 * Dice.Fraction(); }

		std::unique_ptr<FMachine> RelayMachine;
		UNetClockRelay* Relay = nullptr;
		std::vector<std::unique_ptr<FPlayer>> Players;
		FDice Dice;
		double Now = 0;
	};

	static void Shares(const FPlayer& Player, const FPlayer& Primary)
	{
		// The primary's clock runs as fast as its machine's clock.
		const FMachineClock& Clock = Primary.Machine.Clock;
		const double TrueTicks = static_cast<double>(Primary.Last.SharedTicks) +
			(Clock.At(Player.LastAt) - Clock.At(Primary.LastAt)) * 1e7;
		// The peer and the primary round their ticks down.
		ExpectNear(static_cast<double>(Player.Last.SharedTicks), TrueTicks,
			Player.Last.ErrorBoundMs * 1e4 + 5, "the primary's time, in ticks");
		// A round trip takes up to 120 ms, and messages also wait for frames at both ends and at the relay.
		ExpectIn(Player.Last.ErrorBoundMs, 0, 100, "the bound in ms");
		ExpectNone(Player.Backwards, "frames backwards");
		Expect(Player.Last.Epoch == 1, "no step", Player.Last.Epoch);
		Expect(Player.Last.ServerEpoch == Primary.Last.ServerEpoch, "the player uses the primary's clock");
	}

	SCENARIO(PeersAtRelay, Always)
	{
		FParty Party(Seed + 80);
		Party.Join(At(60, -15, 300));
		Party.Join(At(144, 30, 90000));
		Party.Run(1);
		const FNetClockPeerStatus Early = Party.Players[0]->Peer->GetPeerStatus();
		Expect(Early.Players == 2 && Early.Stage == ENetClockPeerStage::Synced, "two players are in sync");
		Party.Join(At(31.3, -40, 7));
		Party.Run(15);
		FPlayer* First = Party.Primary();
		Expect(First != nullptr, "one leads");
		if (!First) { return; }
		for (const auto& Player : Party.Players)
		{
			const FNetClockPeerStatus Status = Player->Peer->GetPeerStatus();
			Expect(Status.Stage == ENetClockPeerStage::Playing && Status.Players == 3, "all play");
			Expect(Player->Changes >= 2, "changes are reported", Player->Changes);
			Expect(Status.SharedTicks > 100000000, "the clock shows more than ten seconds");
			Shares(*Player, *First);
		}

		// After the primary is lost, another peer takes over.
		First->bGone = true;
		Party.Run(20);
		FPlayer* Second = Party.Primary();
		Expect(Second && Second != First && Second->Last.Players == 2, "a different peer leads");
		if (!Second) { return; }
		for (const auto& Player : Party.Players)
		{
			if (Player->bGone) { continue; }
			Shares(*Player, *Second);
			Expect(Player->Last.ServerEpoch != First->Last.ServerEpoch, "it is not the lost primary's");
			ExpectIn(Player->Last.InheritedMs, 0.001, 100, "inherited error in ms");
			// A peer that announces its departure frees its slot immediately.
			if (Player.get() != Second) { Player->Peer->LeaveGame(); }
		}
		Party.Run(0.5);
		Expect(Second->Last.Players == 1, "left");
	}

	SCENARIO(PeersBadInput, Always)
	{
		FParty Party(Seed + 82);
		const UWorld* World = Party.RelayMachine->World;
		Expect(!UNetClockRelay::OpenRelay(nullptr) && !UNetClockPeer::JoinGame(nullptr, GameId),
			"no game, no relay");
		for (const int32 Wrong : {-1, 0, 257})
		{
			Expect(!UNetClockRelay::OpenRelay(World, Wrong), "an invalid number of games is rejected");
		}
		for (const int32 Wrong : {-1, 0, 65})
		{
			Expect(!UNetClockRelay::OpenRelay(World, 16, Wrong), "an invalid number of players is rejected");
		}
		Expect(!UNetClockRelay::OpenRelay(World, 16, 4, 5) && !UNetClockRelay::OpenRelay(World, 16, 4, 0),
			"an invalid number of initial players is rejected");
		for (const TArray<uint8>& Junk : {TArray<uint8>(), TArray<uint8>{0, 1, 255, 255}})
		{
			Expect(!Party.Relay->ReceiveBytes(5000, Junk), "the relay rejects junk");
			Expect(!Party.Join(At(60, 10, 100)).Peer->ReceiveBytes(Junk), "a peer rejects junk");
		}
		Party.Relay->CloseConnection(5000);
	}
}
