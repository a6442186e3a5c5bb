// How far ahead, how far behind, who was first, what a player saw: judged by what really happened.
#include "NetClock/Clock/NetClockSession.h"
#include "NetClockCLibrary.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** A call of the game's own. */
	static FDoubleRpc GameCall(EDoubleRpc Direction, std::function<void()> Run)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "the game's own";
		Rpc.Direction = Direction;
		Rpc.Run = [Run](UObject*) { Run(); return true; };
		return Rpc;
	}

	/** Has this done on the server when a call of this frame has arrived there. */
	static void CallServer(const FPeer& Peer, std::function<void()> Run)
	{
		Peer.Machine.Driver->Send(nullptr, Peer.Component(), GameCall(EDoubleRpc::Server, std::move(Run)));
	}

	/** Commands of a client, in time or not, and states of the server, there to be shown or not. */
	struct FTimely
	{
		int32 Commands = 0, InTime = 0, Frames = 0, Shown = 0;
		double LeadMs = 0, BehindMs = 0;
		int64 NewestState = 0;
		FSeen Took;
		double Share() const { return static_cast<double>(InTime) / FMath::Max(1, Commands); }
		double ShownShare() const { return static_cast<double>(Shown) / FMath::Max(1, Frames); }
	};

	/** A client sends a command in each frame, stamped with the time that it is predicted for; a server its
	 * state. */
	static void PlayAhead(FSession& Session, FPeer& Peer, FTimely& Seen, double SendIntervalMs)
	{
		UNetClockSubsystem* Server = Session.Server->Get<UNetClockSubsystem>();
		Peer.Machine.AlsoAtEnd([&Peer, &Seen, Server, SendIntervalMs]()
		{
			const double LeadMs = UNetClockOrder::GetPredictionLeadMs(Peer.Machine.World);
			const double BehindMs =
				UNetClockOrder::SuggestInterpolationDelayMs(Peer.Machine.World, SendIntervalMs);
			const bool bSettled = LeadMs < NetClock::UnknownMs && FDouble::State.Now - Peer.JoinedAt >= 20;
			if (!Peer.Component() || !bSettled) { return; }
			const int64 ShownTicks = Peer.Clock()->GetServerTimeTicks();
			Seen.LeadMs += LeadMs;
			Seen.BehindMs += BehindMs;
			++Seen.Frames;
			Seen.Shown += NetClock::TicksToMs(ShownTicks - Seen.NewestState) <= BehindMs ? 1 : 0;
			CallServer(Peer, [&Seen, Server, ShownTicks, LeadMs]()
			{
				const double TookMs = NetClock::TicksToMs(Server->GetServerTimeTicks() - ShownTicks);
				++Seen.Commands;
				Seen.InTime += TookMs <= LeadMs ? 1 : 0;
				Seen.Took.ErrorsMs.push_back(TookMs);
			});
		});
	}

	static void SendStates(FSession& Session, FPeer& Peer, FTimely& Seen)
	{
		UNetClockSubsystem* Server = Session.Server->Get<UNetClockSubsystem>();
		Session.Server->AlsoAtEnd([&Session, &Peer, &Seen, Server]()
		{
			const int64 Ticks = Server->GetServerTimeTicks();
			if (!Peer.ServerComponent()) { return; }
			const auto Learn = [&Seen, Ticks]() { Seen.NewestState = FMath::Max(Seen.NewestState, Ticks); };
			Session.Server->Driver->Send(
				Peer.ServerConnection, Peer.ServerComponent(), GameCall(EDoubleRpc::Client, Learn));
		});
	}

	SCENARIO(PredictionLead, Long)
	{
		for (const double Share : {0.95, 0.8})
		{
			FDouble::LoadIni(
				"[/Script/NetClock.NetClockSettings]\nInTimeShare=" + std::to_string(Share) + "\n");
			FSession Session(At(30, 10, 5000), NM_DedicatedServer, Seed + 70);
			FPeer& Near = Session.Join(At(60, -15, 300), Link(15, 5, 0.01, 0.01));
			Session.Join(At(144, 25, 90000), Link(70, 12, 0.05, 0.02));
			FTimely Seen[2];
			Expect(UNetClockOrder::GetPredictionLeadMs(Near.Machine.World) >= NetClock::UnknownMs,
				"huge until known");
			Session.Run(2);
			const double SendIntervalMs = 1000.0 / 30;
			// A quantile of the 8 probes a second that arrive in 80 s is off by so much in three standard
			// deviations: by 4.7 % of the commands at 80 %.
			const double Least = Share - 3 * std::sqrt(Share * (1 - Share) / (8 * 80));
			for (size_t Index = 0; Index < 2; ++Index)
			{
				PlayAhead(Session, *Session.Peers[Index], Seen[Index], SendIntervalMs);
				SendStates(Session, *Session.Peers[Index], Seen[Index]);
			}
			Session.Run(100);
			for (size_t Index = 0; Index < 2; ++Index)
			{
				const FTimely& Told = Seen[Index];
				const double LeadMs = Told.LeadMs / Told.Frames, BehindMs = Told.BehindMs / Told.Frames,
							 NeededMs = Told.Took.Quantile(Share);
				std::printf("    lead for %.0f %%: %.1f %% of %d commands in time, %.1f ms ahead (%.1f would "
							"do); shown %.1f ms behind, %.1f %% of frames between two states\n",
					Share * 100, Told.Share() * 100, Told.Commands, LeadMs, NeededMs, BehindMs,
					Told.ShownShare() * 100);
				Expect(Told.Commands > 4000 && Told.Share() > Least, "as many are in time as were asked for",
					Told.Share());
				Expect(LeadMs < NeededMs + 12, "and no further ahead than that takes", LeadMs, NeededMs);
				Expect(Told.ShownShare() > Least, "there is something to show", Told.ShownShare());
			}
			Expect(UNetClockOrder::GetPredictionLeadMs(Session.Server->World) <= 0,
				"nothing to be ahead of on the server");
			ExpectNear(UNetClockOrder::SuggestInterpolationDelayMs(Session.Server->World, 50), 50, 1e-9,
				"and two states to be between");
			FDouble::LoadIni("");
		}
	}

	/** Events of two clients and the server, whose true order is known. */
	SCENARIO(EventOrder, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 71);
		Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FLink Uneven = Link(40, 6, 0.01, 0.01);
		Uneven.Up.LagMs = 50;
		Session.Join(At(97.3, 25, 90000), Uneven);
		Session.Run(10);
		struct FEvent { FNetClockStamp Stamp; double At; };
		std::vector<FEvent> Events[2], OnServer;
		for (size_t Index = 0; Index < 2; ++Index)
		{
			FPeer& Peer = *Session.Peers[Index];
			const auto Read = Peer.Machine.OnActors;
			Peer.Machine.OnActors = [&Peer, &Events, Index, Read]()
			{
				Read();
				Events[Index].push_back(
					{UNetClockOrder::GetEventStamp(Peer.Machine.World), Peer.Machine.TickStart});
			};
		}
		Session.Server->OnActors = [&]() {
			OnServer.push_back(
				{UNetClockOrder::GetEventStamp(Session.Server->World), Session.Server->TickStart});
		};
		Session.Run(30);
		// What is proven is so; how often what is likely is right, the library's own tests say.
		int32 Proven = 0, WrongProven = 0;
		ENetClockOrder Order = ENetClockOrder::TooClose;
		double Probability = 0;
		bool bProven = false;
		const auto Compare = [&](const FNetClockStamp& First, const FNetClockStamp& Second, double Confidence,
								 bool bSameClock = false)
		{
			return UNetClockOrder::CompareEventTimes(
				First, Second, bSameClock, Confidence, Order, Probability, bProven);
		};
		FDice Dice{Seed};
		for (int32 Try = 0; Try < 5000; ++Try)
		{
			const std::vector<FEvent>& Theirs = Try % 2 ? Events[1] : OnServer;
			const FEvent& First = Events[0][static_cast<size_t>(Dice.Next() % Events[0].size())];
			const FEvent& Second = Theirs[static_cast<size_t>(Dice.Next() % Theirs.size())];
			Expect(Compare(First.Stamp, Second.Stamp, 0.95), "stamps make sense");
			Proven += bProven ? 1 : 0;
			WrongProven += bProven && (Order == ENetClockOrder::Before) != (First.At < Second.At) ? 1 : 0;
		}
		ExpectNone(WrongProven, "proven orders are wrong");
		Expect(Proven > 4000, "most are proven", Proven);

		// One clock orders its own events to the tick, and nonsense is refused.
		const FNetClockStamp& Good = Events[0][6].Stamp;
		FNetClockStamp Bad = Events[0][5].Stamp;
		Expect(Compare(Bad, Good, 1, true), "one clock's own");
		Expect(bProven && Order == ENetClockOrder::Before, "in their order");
		Expect(!Compare(Bad, Good, 0.4), "no confidence");
		Bad.ErrorBoundMs = std::nan("");
		Expect(!Compare(Bad, Good, 0.95), "no bound at all");
		Expect(Order == ENetClockOrder::TooClose && !bProven, "nothing is said then");
		ExpectNear(Probability, 0.5, 0, "of either order");
		Bad.ErrorBoundMs = -1;
		Expect(!Compare(Good, Bad, 0.95), "a negative one");
		Expect(Compare(UNetClockOrder::GetEventStamp(nullptr), OnServer[0].Stamp, 0.5), "of nobody's clock");
		Expect(Order == ENetClockOrder::TooClose, "nothing follows");
	}

	/** Shots: the server goes back to what the shooter saw; who lies gains no more than honest clocks may
	 * err. */
	SCENARIO(RewindTime, Once)
	{
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 72);
		FPeer& Shooter = Session.Join(At(97.3, -15, 300), Link(30, 4, 0.01, 0.01));
		FNetClockRewind Rewind;
		Session.Run(0.03);
		Expect(!UNetClockOrder::GetRewindTime(Shooter.ServerController, 0, 0, 0, 250, Rewind),
			"not before something is known");
		Session.Run(15);
		UNetClockSession* Served = Session.Server->Get<UNetClockSession>();
		const int32 Number = Served->NumberOf(*Shooter.ServerComponent());
		const int64 Instant = Served->ServerTicks(UNetClockBlueprintLibrary::GetLocalClockTicks());
		const double RoundTripMs = NetClock::MsOf(*Served->GetHost()->round_trip(
			static_cast<std::uint64_t>(Number), NetClock::ServerTime(Instant)));
		// 60 ms of way, of which jitter is never less; and frames of 16.7 and 10.3 ms.
		ExpectIn(RoundTripMs, 60, 110, "the round trip as the server sees it");
		constexpr double InterpolationMs = 50, JitterMs = 40, MaxRewindMs = 250;
		int32 Shots = 0, Moved = 0, Wrong = 0, Outside = 0, LiesOutside = 0, LiesMoved = 0;
		double LieGainMs = 0;
		Shooter.Machine.AlsoAtEnd([&]()
		{
			const int64 Saw = Shooter.Clock()->GetServerTimeTicks();
			const double TrueTicks = Session.Server->Clock.At(Shooter.Machine.TickStart) * 1e7;
			const int64 Lies[] = {5000000, -5000000, INT64_MAX / 4};
			const int64 Lie = Saw - Lies[Shots % 3];
			CallServer(Shooter, [&, Saw, TrueTicks, Lie]()
			{
				const auto Rewound = [&](int64 Claimed, FNetClockRewind& Told)
				{
					return UNetClockOrder::GetRewindTime(
						Shooter.ServerController, Claimed, InterpolationMs, JitterMs, MaxRewindMs, Told);
				};
				const auto OffMs = [&](const FNetClockRewind& Told)
				{ return FMath::Abs(static_cast<double>(Told.Acted.ServerTicks) - TrueTicks) * 1e-4; };
				FNetClockRewind Honest, Told;
				++Shots;
				const bool bKnown = Rewound(Saw, Honest);
				const bool bMoved = Honest.Limit != ENetClockRewindLimit::None;
				Moved += bMoved ? 1 : 0;
				// Where nothing was moved, the instant is what the shooter saw, to the tick.
				const bool bSaw = Honest.TargetTicks == Saw - static_cast<int64>(InterpolationMs * 1e4);
				Wrong += bKnown && (bMoved || bSaw) ? 0 : 1;
				Outside += OffMs(Honest) > Honest.Acted.ErrorBoundMs ? 1 : 0;
				if (!Rewound(Lie, Told)) { return; }
				const bool bInReach = Told.BackMs <= MaxRewindMs + 1e-3 && Told.BackMs >= 0;
				LiesMoved += bInReach && Told.Limit != ENetClockRewindLimit::None ? 0 : 1;
				LiesOutside += OffMs(Told) > Told.Acted.ErrorBoundMs ? 1 : 0;
				LieGainMs = FMath::Max(LieGainMs, OffMs(Told));
			});
		});
		Session.Run(30);
		Expect(Shots > 2000 && Wrong == 0, "what a player saw, in each shot", Shots, Wrong);
		Expect(Moved <= Shots / 50, "honest claims are hardly ever moved", Moved);
		Expect(Outside <= Shots / 50 && LiesOutside <= Shots / 50, "it acted within the bound", Outside,
			LiesOutside);
		Expect(LiesMoved == 0 && LieGainMs < RoundTripMs + JitterMs + 1,
			"lies are moved to what is plausible", LieGainMs);

		const APlayerController* Host = Session.Host();
		const int64 Now = UNetClockBlueprintLibrary::GetLocalClockTicks();
		Expect(UNetClockOrder::GetRewindTime(Host, Now, 0, 0, MaxRewindMs, Rewind), "the host has no way");
		Expect(Rewind.TargetTicks == Now, "it acts now");
		const double No = std::nan("");
		const APlayerController* Player = Shooter.ServerController;
		Expect(!UNetClockOrder::GetRewindTime(nullptr, Now, 0, 0, MaxRewindMs, Rewind), "of nobody nothing");
		Expect(!UNetClockOrder::GetRewindTime(Player, Now, No, 0, MaxRewindMs, Rewind), "nor by nonsense");
		Expect(!UNetClockOrder::GetRewindTime(Shooter.Controller, Now, 0, 0, MaxRewindMs, Rewind),
			"and nothing on a client");
		Expect(!UNetClockOrder::GetRewindTime(Shooter.ServerController, INT64_MIN, 0, 0, MaxRewindMs, Rewind),
			"no time at all");
	}
}
