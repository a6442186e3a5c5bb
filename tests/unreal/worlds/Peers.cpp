// Players who meet at a relay: one clock for all of them, whatever the relay holds back, loses or receives,
// and when primaries leave.
#include "NetClock/Peers/NetClockPeer.h"
#include "Scenarios.h"

namespace Scenarios
{
	static bool IsPlaying(const UNetClockPeer& Peer)
	{
		return Peer.GetPeerStatus().Stage == ENetClockPeerStage::Playing;
	}

	constexpr int64 GameId = 4711;

	/** A relay and the machines of peers, with lossy links between them. Each machine has its own game and
	 * world. */
	class FParty
	{
	public:
		struct FPlayer
		{
			explicit FPlayer(FMachineSettings Settings, FDice InDice) :
				Machine(Settings, NM_Standalone, InDice)
			{
			}

			FMachine Machine;
			UNetClockPeer* Peer = nullptr;
			double LagUpMs = 20, LagDownMs = 20, ArrivedUp = 0, ArrivedDown = 0;
			/** The player's process ended without telling anybody. */
			bool bGone = false;
			/** The part of a stream that has not been passed on yet, because streams are cut into pieces. */
			TArray<uint8> Rest;

			int32 Frames = 0, OutsideBound = 0, OutsideFirst = 0, Backwards = 0, Steps = 0, Changes = 0;
			double InheritedMs = 0;
			FNetClockPeerStatus Last;
			double LastAt = 0;
			std::vector<FNetClockGameMessage> Heard;
		};

		FParty(uint64 Seed, bool bInStreams) : Dice{Seed}, bStreams(bInStreams)
		{
			FDouble::State.Now = 0;
			FDouble::State.Dice = FDice{Dice.Next()};
			// At 30 frames per second, the relay holds each message for up to 33 ms.
			RelayMachine = std::make_unique<FMachine>(At(30, 45, 9000), NM_Standalone, FDice{Dice.Next()});
			RelayMachine->Enter(0);
			Relay = UNetClockRelay::OpenRelay(RelayMachine->World, 4, 4, 3, bStreams);
			Relay->OnSend.AddLambda([this](int64 Connection, const TArray<uint8>& Bytes)
				{ ToPlayer(static_cast<size_t>(Connection), Bytes); });
		}

		~FParty()
		{
			for (const auto& Player : Players) { Player->Machine.Quit(); }
			RelayMachine->Quit();
		}

		FPlayer& Join(FMachineSettings Settings, double LagUpMs, double LagDownMs)
		{
			Players.push_back(std::make_unique<FPlayer>(Settings, FDice{Dice.Next()}));
			FPlayer& Player = *Players.back();
			const size_t Connection = Players.size() - 1;
			Player.LagUpMs = LagUpMs;
			Player.LagDownMs = LagDownMs;
			Player.Machine.Enter();
			Player.Peer = UNetClockPeer::JoinGame(Player.Machine.World, GameId, bStreams);
			Player.Peer->OnSend.AddLambda(
				[this, Connection](const TArray<uint8>& Bytes) { ToRelay(Connection, Bytes); });
			Player.Peer->OnGameMessage.AddLambda(
				[&Player](const FNetClockGameMessage& Message) { Player.Heard.push_back(Message); });
			Player.Peer->OnPeerChanged.AddLambda(
				[&Player](ENetClockPeerStage, ENetClockPeerRole) { ++Player.Changes; });
			Player.Machine.OnEnd = [this, &Player]() { Judge(Player); };
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
					if (!Player->bGone && Player->Machine.NextFrame < Next->NextFrame)
					{
						Next = &Player->Machine;
					}
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
				if (!Player->bGone && Player->Peer->GetPeerStatus().Role == ENetClockPeerRole::Primary)
				{
					return Player.get();
				}
			}
			return nullptr;
		}

		/** What a primary's clock shows at a true time. It runs as fast as the machine's clock. */
		static double SharedAt(const FPlayer& Of, double True)
		{
			return static_cast<double>(Of.Last.SharedTicks) +
				(Of.Machine.Clock.At(True) - Of.Machine.Clock.At(Of.LastAt)) * 1e7;
		}

		std::unique_ptr<FMachine> RelayMachine;
		UNetClockRelay* Relay = nullptr;
		std::vector<std::unique_ptr<FPlayer>> Players;
		/** The first primary, as it was when it was last seen. */
		FPlayer* First = nullptr;
		int32 Broken = 0;
		/** The loss of datagrams in each direction. */
		double Loss = 0.02;

	private:
		double Arrival(double LagMs, double& Last)
		{
			const double At = FDouble::State.Now + (LagMs + Dice.Exponential(4)) / 1000;
			if (bStreams) { Last = FMath::Max(At, Last); }
			return bStreams ? Last : At;
		}

		void ToRelay(size_t Connection, const TArray<uint8>& Bytes)
		{
			FPlayer& Player = *Players[Connection];
			if (!bStreams && Dice.Fraction() < Loss) { return; }
			RelayMachine->Deliver(Arrival(Player.LagUpMs, Player.ArrivedUp),
				[this, Connection, Bytes, &Player]()
				{
					if (Player.bGone) { return; }
					Broken += Relay->ReceiveBytes(static_cast<int64>(Connection), Bytes) ? 0 : 1;
				});
		}

		/** A stream may deliver pieces of messages or several messages at once. */
		void ToPlayer(size_t Connection, const TArray<uint8>& Bytes)
		{
			FPlayer& Player = *Players[Connection];
			if (!bStreams && Dice.Fraction() < Loss) { return; }
			Player.Machine.Deliver(Arrival(Player.LagDownMs, Player.ArrivedDown), [this, Bytes, &Player]()
			{
				if (!bStreams)
				{
					Player.Peer->ReceiveBytes(Bytes);
					return;
				}
				const int32 Half = Bytes.Num() / 2;
				for (int32 Index = 0; Index < Half; ++Index) { Player.Rest.Add(Bytes[Index]); }
				Broken += Player.Peer->ReceiveBytes(Player.Rest) ? 0 : 1;
				Player.Rest.Reset();
				for (int32 Index = Half; Index < Bytes.Num(); ++Index) { Player.Rest.Add(Bytes[Index]); }
				if (Dice.Fraction() < 0.5)
				{
					Broken += Player.Peer->ReceiveBytes(Player.Rest) ? 0 : 1;
					Player.Rest.Reset();
				}
			});
		}

		void Judge(FPlayer& Player)
		{
			const FNetClockPeerStatus Status = Player.Peer->GetPeerStatus();
			const double At = Player.Machine.TickStart;
			if (IsPlaying(*Player.Peer))
			{
				++Player.Frames;
				const double Shown = static_cast<double>(Status.SharedTicks);
				// Both sides round ticks down.
				const double BoundMs = Status.ErrorBoundMs + 5e-4;
				const FPlayer* Leader = Primary();
				if (Leader && Leader != &Player && Leader->Last.ServerEpoch == Status.ServerEpoch &&
					Leader->Last.Role == ENetClockPeerRole::Primary)
				{
					const double OffMs = FMath::Abs(Shown - SharedAt(*Leader, At)) * 1e-4;
					Player.OutsideBound += OffMs > BoundMs ? 1 : 0;
				}
				if (First && First != &Player)
				{
					// The crystals of the first primary and of the current one drift apart by 100 ppm at
					// most.
					const double DriftMs = (At - First->LastAt) * 0.1;
					const double OffMs = FMath::Abs(Shown - SharedAt(*First, At)) * 1e-4;
					Player.OutsideFirst += OffMs > BoundMs + Status.InheritedMs + DriftMs ? 1 : 0;
				}
				Player.InheritedMs = FMath::Max(Player.InheritedMs, Status.InheritedMs);
				if (Player.Last.Stage == ENetClockPeerStage::Playing)
				{
					const double Passed =
						(Player.Machine.Clock.At(At) - Player.Machine.Clock.At(Player.LastAt)) * 1e7;
					const double Went = static_cast<double>(Status.SharedTicks - Player.Last.SharedTicks);
					Player.Backwards += Went < 0 ? 1 : 0;
					// Corrections are worked off at 5 % or less.
					const bool bStepped = FMath::Abs(Went - Passed) > 0.06 * Passed + 10;
					Player.Steps += bStepped || Status.Epoch != Player.Last.Epoch ? 1 : 0;
				}
			}
			Player.Last = Status;
			Player.LastAt = At;
			if (!First && Status.Role == ENetClockPeerRole::Primary && IsPlaying(*Player.Peer))
			{
				First = &Player;
			}
		}

		FDice Dice;
		const bool bStreams;
		double Now = 0;
	};

	static void Promised(size_t Who, const FParty::FPlayer& Player)
	{
		const std::string Peer = "peer " + std::to_string(Who) + ": ";
		Expect(Player.Frames > 400, Peer + "frames with a shared time", Player.Frames);
		ExpectNone(Player.OutsideBound, "frames outside the bound", Peer);
		ExpectNone(Player.OutsideFirst, "frames off the first primary by more than was inherited", Peer);
		ExpectNone(Player.Backwards, "frames backwards", Peer);
		ExpectNone(Player.Steps, "steps", Peer);
	}

	SCENARIO(PeersAtRelay, Always)
	{
		for (const bool bStreams : {false, true})
		{
			Report::Scenario = bStreams ? "peers over streams" : "peers over datagrams, 2 % loss";
			FParty Party(Seed + 80, bStreams);
			Party.Join(At(60, -15, 300), 20, 20);
			Party.Join(At(144, 30, 90000), 35, 20);
			FNetClockRelayGame Session;
			Party.Run(1);
			Expect(Party.Relay->GetGame(GameId, Session) && Session.Players == 2, "two are there");
			Expect(!Session.bBegan && !IsPlaying(*Party.Players[0]->Peer), "it waits for the third");
			Party.Join(At(31.3, -40, 7), 30, 45);
			Party.Run(15);
			Expect(Party.Relay->GetGame(GameId, Session) && Session.Players == 3, "three are there");
			Expect(Session.bBegan, "the game runs");
			Expect(Session.bHasPrimary && Session.Primaries == 1, "with one primary", Session.Primaries);
			FParty::FPlayer* First = Party.Primary();
			Expect(First && First == Party.First && static_cast<int64>(Session.Connection) < 3 &&
					Party.Players[static_cast<size_t>(Session.Connection)].get() == First,
				"one leads");
			if (!First) { continue; }
			for (const auto& Player : Party.Players)
			{
				const FNetClockPeerStatus Status = Player->Peer->GetPeerStatus();
				Expect(Status.Stage == ENetClockPeerStage::Playing && Status.Players == 3, "all play");
				Expect(Status.ServerEpoch == First->Last.ServerEpoch, "by its clock");
				Expect(Player->Changes >= 2, "and were told", Player->Changes);
				Expect(Status.SharedTicks > 100000000, "more than ten");
			}
			// A message of the game, stamped with the shared time.
			FParty::FPlayer& Sender = *Party.Players[2];
			Sender.Machine.Enter();
			const TArray<uint8> Word = {1, 2, 3};
			Expect(Sender.Peer->SendGameMessage(300, Word), "sent");
			Expect(!Sender.Peer->SendGameMessage(255, Word), "unless its number is the relay's");
			Expect(!Sender.Peer->SendGameMessage(65536, Word), "or too large");
			const double SentAt = FDouble::State.Now;
			const double SentTicks = FParty::SharedAt(*First, SentAt);
			Party.Run(1);
			for (size_t Index = 0; Index < 3; ++Index)
			{
				const auto& Heard = Party.Players[Index]->Heard;
				if (Index == 2)
				{
					Expect(Heard.empty(), "not by who said it");
					continue;
				}
				// A datagram may be lost. A stream loses nothing.
				Expect(Heard.size() <= 1 && (!bStreams || Heard.size() == 1), "heard once");
				for (const FNetClockGameMessage& Message : Heard)
				{
					const double OffMs =
						FMath::Abs(static_cast<double>(Message.SentTicks) - SentTicks) * 1e-4;
					Expect(Message.Number == 300 && Message.Slot == Sender.Last.Slot, "who said it");
					Expect(Message.Data.Num() == 3 && Message.Data[2] == 3, "as it was said");
					Expect(OffMs <= Sender.Last.ErrorBoundMs + 1, "and when: off by", OffMs);
				}
			}
			for (size_t Index = 0; Index < 3; ++Index) { Promised(Index, *Party.Players[Index]); }

			// The primary is lost, and another peer takes over.
			First->bGone = true;
			Party.Run(20);
			FParty::FPlayer* Second = Party.Primary();
			Expect(Second && Second != First && Party.Relay->GetGame(GameId, Session), "another one leads");
			Expect(Session.Primaries == 2 && Session.Players == 2, "the relay knows", Session.Primaries);
			for (size_t Index = 0; Index < 3; ++Index)
			{
				const FParty::FPlayer& Player = *Party.Players[Index];
				Promised(Index, Player);
				if (&Player == First || !Second) { continue; }
				Expect(Player.Last.ServerEpoch == Second->Last.ServerEpoch, "both by its clock");
				Expect(Player.Last.ServerEpoch != First->Last.ServerEpoch, "which is another one");
				ExpectIn(Player.InheritedMs, 0.001, 100, "with what it cost");
			}
			// A peer that leaves announces it once. If the announcement arrives, its slot is free at once.
			// Otherwise it is free after a silence.
			Party.Loss = 0;
			for (const auto& Player : Party.Players)
			{
				if (Player.get() != First && Player.get() != Second) { Player->Peer->LeaveGame(); }
			}
			Party.Run(0.5);
			Expect(Party.Relay->GetGame(GameId, Session) && Session.Players == 1, "left");
			Expect(Party.Broken == 0, "no stream is broken");
		}
	}

	SCENARIO(PeersBadInput, Always)
	{
		for (const bool bStreams : {false, true})
		{
			FParty Party(Seed + 82, bStreams);
			const UWorld* World = Party.RelayMachine->World;
			Expect(!UNetClockRelay::OpenRelay(nullptr) && !UNetClockPeer::JoinGame(nullptr, GameId),
				"no game, no relay");
			for (const int32 Wrong : {-1, 0, 257})
			{
				Expect(!UNetClockRelay::OpenRelay(World, Wrong), "games out of range");
			}
			for (const int32 Wrong : {-1, 0, 65})
			{
				Expect(!UNetClockRelay::OpenRelay(World, 16, Wrong), "players out of range");
			}
			Expect(!UNetClockRelay::OpenRelay(World, 16, 4, 5) && !UNetClockRelay::OpenRelay(World, 16, 4, 0),
				"nor players to begin");
			for (int32 Index = 0; Index < 3; ++Index)
			{
				Party.Join(At(60, 10.0 * Index, 100.0 * Index + 1), 20, 20);
			}
			Party.Run(8);
			if (!bStreams) { continue; }
			// No message has this size. This stream is broken, and no other one is.
			const TArray<uint8> Oversize = {0, 1, 255, 255};
			Expect(!Party.Relay->ReceiveBytes(5000, Oversize), "a broken stream");
			Expect(!Party.Relay->ReceiveBytes(5000, TArray<uint8>{0, 1, 0, 4}), "stays broken");
			Party.Relay->CloseConnection(5000);
			Expect(Party.Relay->ReceiveBytes(5000, TArray<uint8>{0}), "until it is closed");
			int32 Open = 0;
			for (int64 Connection = 0; Connection < 1000; ++Connection)
			{
				Open += Party.Relay->ReceiveBytes(10000 + Connection, TArray<uint8>{0}) ? 1 : 0;
			}
			Expect(Open > 20 && Open <= 80, "no more streams than slots and some", Open);
			UNetClockPeer* Fresh = UNetClockPeer::JoinGame(World, GameId, true);
			Expect(Fresh->ReceiveBytes(TArray<uint8>()) && !Fresh->ReceiveBytes(Oversize),
				"a peer's stream, too");
		}
	}
}
