// Scheduled starts in trouble: players who are not ready, cheats, and travel.
#include <cstring>

#include "Start/NetClockStartLink.h"
#include "StartJudge.h"

namespace Scenarios
{
	/** Who is not ready is named, with the reason, and waited for until patience ends. */
	SCENARIO(StartHeldUp, Once)
	{
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 65);
		FPeer& Good = Session.Join(At(60, 35, 70), Link(25, 4, 0.01, 0.02));
		FPeer& Deaf = Session.Join(At(60, -35, 900), Link(25, 4, 0.01, 0.02));
		// What it says of starts arrives; no probe does.
		Deaf.Passes = [](const UObject*, const FDoubleRpc& Rpc) { return !std::strstr(Rpc.Name, "Probe"); };
		FBegun GoodBegun(Good.Machine), DeafBegun(Deaf.Machine), Server(*Session.Server);
		Session.Run(5);
		UNetClockStart* Start = StartOf(*Session.Server);
		Expect(Start->ScheduleStart(), "it is wanted");
		Session.Run(3);
		FNetClockStartStatus Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::HeldUp && Status.NotReady == 1 && Server.Scheduled == 0,
			"it is held up");
		Expect(Status.HoldUp == ENetClockHoldUp::Unsynced, "by a clock that is not in sync");
		Expect(Start->GetStartHeldUpBy() == Deaf.ServerController, "that of the deaf one");
		Expect(Start->CancelStart() && !Start->IsStartScheduled() && !Start->CancelStart(),
			"what is held up can be cancelled");
		Session.Run(2);
		Expect(GoodBegun.Scheduled == 0 && Start->GetStartStatus().Stage == ENetClockStartStage::Cancelled,
			"and nobody has heard of it");
		Expect(Start->ScheduleStart(), "it is wanted again");
		Session.Run(8);
		Status = Start->GetStartStatus();
		Expect(Status.Stage == ENetClockStartStage::Started && Status.NotReady == 1,
			"patience ends: it begins without");
		Promised(Session, GoodBegun, Status.AtTicks);
		Expect(Start->GetStartResult().Expected == 1, "who was not ready does not count");
		Deaf.Passes = nullptr;
		Session.Run(5);
		Expect(DeafBegun.Times == 1, "and is told when it can be", DeafBegun.Times);

		// Ready in the end: nobody is left behind.
		FPeer& Loading = Session.Join(At(60, 5, 40), Link(25, 4, 0.01, 0.02));
		FBegun LoadingBegun(Loading.Machine);
		Session.Run(0.15);
		Expect(Start->ScheduleStart(), "while one joins");
		Session.Run(0.05);
		Expect(Start->GetStartStatus().Stage == ENetClockStartStage::HeldUp, "it waits for it");
		Session.Run(6);
		Expect(Start->GetStartResult().Started == 3 && Start->GetStartStatus().NotReady == 0,
			"until all are ready");
		// The round before was over when it came: it is told of that one at most, and begins the other in
		// time.
		Expect(LoadingBegun.LatenessMs < FrameMs(Loading.Machine), "in time", LoadingBegun.LatenessMs);

		// Who leaves is not waited for.
		Session.Disconnect(Loading);
		Session.Run(3);
		Expect(Start->ScheduleStart(), "after one has left");
		Session.Run(2);
		Expect(Start->GetStartResult().Expected == 2 && Start->HasStarted(), "the others begin");
	}

	/** What a changed client can send of starts: 32 bytes of its own choice. */
	static FDoubleRpc Message(int32 World, uint64 Head, uint64 Key, uint64 Third, uint64 Fourth)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "UNetClockComponent::ServerMessage";
		FNetClockDatagram Datagram;
		Datagram.First = static_cast<int64>(Head);
		Datagram.Second = static_cast<int64>(Key);
		Datagram.Third = static_cast<int64>(Third);
		Datagram.Fourth = static_cast<int64>(Fourth);
		Rpc.Run = [World, Datagram](UObject* Target)
		{
			static_cast<UNetClockComponent*>(Target)->ServerMessage_Implementation(
				ENetClockSubject::Start, World, Datagram);
			return true;
		};
		return Rpc;
	}

	/** One who floods, lies about its clock and speaks for others; its victims start in time. */
	SCENARIO(StartCheats, Once)
	{
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 66);
		FPeer& Honest = Session.Join(At(60, 35, 70), Link(25, 4, 0.01, 0.02));
		FPeer& Cheat = Session.Join(At(60, -35, 900), Link(25, 4, 0.01, 0.02));
		FBegun Begun(Honest.Machine);
		// The cheat's own machine is silent; its changed copy has other things to say.
		Cheat.Passes = [](const UObject*, const FDoubleRpc& Rpc)
		{ return !std::strstr(Rpc.Name, "ServerMessage"); };
		Session.Run(5);
		UNetClockStart* Start = StartOf(*Session.Server);
		Start->PrepareStart();
		Session.Run(1);
		const int32 World = Session.Server->Get<UNetClockSubsystem>()->GetWorldKnowledge().World;
		const uint64 Epoch = static_cast<uint64>(Session.Server->Get<UNetClockSession>()->GetServerEpoch());
		constexpr uint64 Readiness = 0x4E4B010300000000ull, Result = 0x4E4B010700000000ull, Key = 77;
		// It claims a perfect clock of a round trip of nothing, then one that is a second off: it is never
		// ready.
		uint64 Number = 0;
		const auto Claim = [&](uint64 ErrorTicks)
		{
			Session.Forge(Cheat, Cheat.ServerComponent(),
				Message(
					World, Readiness | ++Number, Key, ErrorTicks << 32 | ErrorTicks, Epoch & 0xFFFFFFFFu));
		};
		for (int32 Step = 0; Step < 8; ++Step) { Claim(10); Session.Run(0.25); }
		Expect(Start->GetPlayerStart(Cheat.ServerController).bIsReady,
			"who claims a good clock is believed to have one");
		// Again and again, as one of them may be lost.
		for (int32 Step = 0; Step < 5; ++Step) { Claim(10000000); Session.Run(0.1); }
		const double Asked = FDouble::State.Now;
		Expect(Start->ScheduleStart(), "it is wanted");
		int32 NamedInaccurate = 0;
		const int64 DroppedBefore = Cheat.ServerComponent()->Find<FNetClockStartLink>()->GetDropped();
		while (!Start->IsStartScheduled() && FDouble::State.Now < Asked + 20)
		{
			Claim(10000000);
			// And floods, with messages of all kinds in the name of all keys and worlds.
			for (uint64 Index = 0; Index < 30; ++Index)
			{
				Session.Forge(Cheat, Cheat.ServerComponent(),
					Message(World + static_cast<int32>(Index % 3), (Readiness + (Index % 9 << 32)) | Index,
						Index, Index << 60, Index * Epoch));
			}
			Session.Run(0.1);
			const bool bNamed = Start->GetStartHeldUpBy() == Cheat.ServerController;
			NamedInaccurate +=
				bNamed && Start->GetStartStatus().HoldUp == ENetClockHoldUp::Inaccurate ? 1 : 0;
		}
		const double Held = FDouble::State.Now - Asked;
		Expect(NamedInaccurate > 10, "who holds it up is named, with the reason");
		ExpectIn(Held, 4, 6, "for half of the patience and no longer (s)");
		Expect(Cheat.ServerComponent()->Find<FNetClockStartLink>()->GetDropped() - DroppedBefore > 1000,
			"the flood is dropped");
		Expect(Honest.ServerComponent()->Find<FNetClockStartLink>()->GetDropped() == 0,
			"the other's messages are not");
		Session.Run(3);
		const int64 Instant = Start->GetStartStatus().AtTicks;
		Promised(Session, Begun, Instant);
		// Results of its own invention: before the start, in the future, and of nobody's key.
		const int64 Invented[] = {Instant - 1, Instant + 600000000ll, INT64_MAX, INT64_MIN};
		for (const int64 Fired : Invented)
		{
			Session.Forge(Cheat, Cheat.ServerComponent(),
				Message(World, Result | 1, Key, static_cast<uint64>(Fired), 10ull << 32 | 10));
			Session.Run(0.2);
		}
		Expect(!Start->GetPlayerStart(Cheat.ServerController).bHasStarted,
			"no result from before the start or from the future");
		// In the name of another: not its component, so not its call.
		const int32 Warnings = Session.OwnershipWarnings;
		Cheat.Link.Up.Loss = Cheat.Link.Up.Duplicates = 0;
		Session.Forge(Cheat, Honest.ServerComponent(), Message(World, Readiness | 9999, Key, 0, 0));
		Session.Run(0.5);
		Expect(Session.OwnershipWarnings == Warnings + 1, "nobody speaks for another");
		Expect(Start->GetPlayerStart(Honest.ServerController).bIsReady, "who stays ready");
		Expect(Cheat.Kicks == 0 && Cheat.ServerController && Start->GetStartResult().Expected == 1,
			"nobody is thrown out");
		// A server's messages that make no sense, at a client.
		for (uint64 Index = 0; Index < 500; ++Index)
		{
			FNetClockDatagram Nonsense;
			Nonsense.First = static_cast<int64>(0x4E4B010400000000ull + Index * 0x100000001ull);
			Nonsense.Second = Nonsense.Third = Nonsense.Fourth = static_cast<int64>(Index << 55);
			Honest.Component()->ClientMessage_Implementation(ENetClockSubject::Start, World, Nonsense);
		}
		Session.Run(1);
		Expect(Begun.Times == 1 && Begun.Scheduled == 1, "what is not the server's changes nothing");
	}

	/** A world that is left takes its start along; the next one has its own. */
	SCENARIO(StartTravel, Once)
	{
		FSession Session(At(60, 12, 5000), NM_DedicatedServer, Seed + 67);
		for (const double Lag : {20.0, 90.0})
		{
			Session.Join(At(60, -15, 300), Link(Lag, 6, 0.05, 0.02));
		}
		Session.Run(6);
		std::deque<FBegun> Old = FollowAll(Session);
		FBegun OldServer(*Session.Server);
		Expect(StartOf(*Session.Server)->ScheduleStart(1500), "it is wanted");
		// What is lost is said again, well before the start.
		for (int32 Step = 0; Step < 60 && Old[0].Scheduled + Old[1].Scheduled < 2; ++Step)
		{
			Session.Run(0.05);
		}
		Expect(Old[0].Scheduled == 1 && Old[1].Scheduled == 1, "announced");
		// One of them loads the next world for a while, and is not there yet.
		Session.Peers[1]->LoadSeconds = 3;
		Session.SeamlessTravel();
		FBegun Server(*Session.Server);
		const double Travelled = FDouble::State.Now;
		// Prepared at once, while the clients are still in the old world.
		Expect(StartOf(*Session.Server)->ScheduleStart(300), "the next world's own");
		std::deque<FBegun> New;
		for (int32 Step = 0; Step < 2000; ++Step)
		{
			Session.Run(0.005);
			const size_t Next = New.size();
			if (Next < 2 && Session.Peers[Next]->bTravelled)
			{
				New.emplace_back(Session.Peers[Next]->Machine);
			}
		}
		const int64 Instant = StartOf(*Session.Server)->GetStartStatus().AtTicks;
		Expect(OldServer.Times == 0 && Old[0].Times == 0 && Old[1].Times == 0,
			"what the old world had announced does not begin");
		for (const FBegun* Each : {&Server, &New[0], &New[1]}) { Promised(Session, *Each, Instant); }
		Expect(StartOf(*Session.Server)->GetStartResult().Started == 2, "all begin in the new one");
		Expect(Old[1].Scheduled == 1 && New[1].Scheduled == 1 && AfterMs(Session, Travelled, Instant) < -3000,
			"who loads it holds it up, and hears of it there");
		Session.Peers[1]->LoadSeconds = 0;

		// Into a world that prepares nothing: nothing of the last one is told there.
		Session.SeamlessTravel();
		Session.Run(0.5);
		std::deque<FBegun> Last = FollowAll(Session);
		Session.Run(8);
		Expect(Last[0].Times == 0 && Last[1].Times == 0 && New[0].Times == 1 && New[1].Times == 1,
			"and none where none was scheduled");

		// Another connection to the same world of the same server: it is told that it began, as anybody who
		// joins late.
		Expect(StartOf(*Session.Server)->ScheduleStart(), "once more");
		Session.Run(3);
		FPeer& Back = *Session.Peers[0];
		Expect(Last[0].Times == 1, "begun");
		Session.Disconnect(Back);
		Session.Run(2);
		Session.Connect(Back);
		FBegun Again(Back.Machine);
		Session.Run(5);
		Expect(Again.Times == 1 && Again.LatenessMs > 1500, "who comes back is told how many ms ago",
			Again.LatenessMs);
	}
}
