// Clients that cheat: floods, nonsense, calls on what belongs to others.
#include <cmath>

#include "Scenarios.h"

namespace Scenarios
{
	/** A call with these bytes. */
	static FDoubleRpc Datagram(TArray<uint8> Bytes)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "UNetClockComponent::ServerBytes";
		Rpc.Run = [Bytes](UObject* Target)
		{
			static_cast<UNetClockComponent*>(Target)->ServerBytes_Implementation(Bytes);
			return true;
		};
		return Rpc;
	}

	FDoubleRpc Probe(int64 Id, int64 Ticks)
	{
		// A request alone, as the library's wire format has it.
		TArray<uint8> Bytes{0x4E, 0x4B, 1, 1, 0, 0, 0, 0};
		for (const int64 Part : {Id, Ticks, int64{0}})
		{
			for (int32 Shift = 56; Shift >= 0; Shift -= 8) { Bytes.Add(static_cast<uint8>(Part >> Shift)); }
		}
		return Datagram(Bytes);
	}

	SCENARIO(Flood, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 20);
		FPeer& Cheat = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Honest = Session.Join(At(60, 20, 800), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		const int32 Before = Cheat.CallsDown;
		TArray<uint8> Long;
		Long.SetNum(60000);
		for (int32 Step = 0; Step < 200; ++Step)
		{
			for (int32 Index = 0; Index < 100; ++Index)
			{
				Session.Forge(Cheat, Cheat.ServerComponent(),
					Index % 10 == 0 ? Datagram(Long) : Probe(Step * 1000 + Index, 1));
			}
			Session.Run(0.05);
		}
		Session.Run(1);
		const int32 Answers = Cheat.CallsDown - Before;
		// One in a frame at most, and none more than were read.
		ExpectIn(Answers, 1, 11 * 30 + 64 + 1, "of 20000 datagrams some are answered");
		Expect(Cheat.ServerComponent()->GetCounts().Dropped > 19000, "the others were dropped");
		Expect(Cheat.Kicks == 0 && Cheat.ServerController, "nobody was kicked");
		Expect(Honest.ServerComponent()->GetCounts().Dropped == 0, "the other player was not limited");
		Promises(Honest);
	}

	SCENARIO(Nonsense, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 21);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		FDice Dice{Seed};
		const int64 Before = Peer.Component()->GetCounts().Refused;
		constexpr int32 Forged = 2000;
		for (int32 Index = 0; Index < Forged; ++Index)
		{
			// With the head of a session's datagram or without, and of any length.
			TArray<uint8> Bytes;
			Bytes.SetNum(static_cast<int32>(Dice.Next() % 300));
			for (int32 At = 0; At < Bytes.Num(); ++At) { Bytes[At] = static_cast<uint8>(Dice.Next()); }
			const uint8 Head[] = {0x4E, 0x4B, 1, static_cast<uint8>(20 + Index % 2)};
			for (int32 At = 0; Index % 4 < 2 && Bytes.Num() > 4 && At < 4; ++At) { Bytes[At] = Head[At]; }
			Session.Forge(Peer, Peer.ServerComponent(), Datagram(Bytes));
			Peer.Machine.Enter();
			Peer.Component()->ClientBytes_Implementation(Bytes);
			if (Index % 100 == 99) { Session.Run(0.5); }
		}
		Session.Run(5);
		Expect(Peer.Component()->GetCounts().Refused - Before >= Forged, "every forged datagram is refused");
		Expect(Peer.Kicks == 0 && Peer.ServerController, "nobody was kicked");
		Promises(Peer);
	}

	/** From now on the machine's clock runs at another rate, from where it is. */
	static void SetRate(FPeer& Peer, double Ppm)
	{
		FMachineClock& Clock = Peer.Machine.Clock;
		const double Now = Clock.At(FDouble::State.Now);
		Clock.Ppm = Ppm;
		Clock.Origin += Now - Clock.At(FDouble::State.Now);
	}

	/** Players whose clocks run fast, always or now and then, beside honest ones on bad links and with
	 * stalls. */
	SCENARIO(SpeedHacks, Long)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 24);
		FPeer& Steady = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Honest = Session.Join(At(60, 80, 90), Link(60, 30, 0.10, 0.05));
		FPeer& Stalling = Session.Join(At(31.3, -80, 9), Link(25, 4, 0.01, 0.01));
		UNetClockWatch* Watch = UNetClockWatch::Of(Session.Server->World);
		double FoundSteady = -1, ProvenSteady = -1;
		int32 False = 0, Levels = 0;
		Watch->OnPlayerClockSuspected.AddLambda(
			[&](APlayerController* Player, FNetClockVerdict Verdict)
			{
				const auto Note = [&](const FPeer& Peer, double& Found)
				{
					if (Player == Peer.ServerController && Found < 0) { Found = FDouble::State.Now; }
				};
				Note(Steady, FoundSteady);
				if (Verdict.Level == ENetClockSuspicion::Proven) { Note(Steady, ProvenSteady); }
				False += Player == Honest.ServerController || Player == Stalling.ServerController ? 1 : 0;
				Levels += Verdict.Level >= ENetClockSuspicion::Likely && Verdict.GainedMs > 0 &&
						Verdict.Finding != ENetClockFinding::None
					? 0
					: 1;
			});
		Session.Run(60);
		Expect(FoundSteady < 0 && False == 0, "nobody is suspected before there is a reason");
		const double Start = FDouble::State.Now;
		SetRate(Steady, 20000);
		for (int32 Part = 0; Part < 3; ++Part)
		{
			Stalling.Machine.Hitch = 2;
			Session.Run(20);
		}
		std::printf("    speed hacks: 2 %% found in %.1f s\n", FoundSteady - Start);
		Expect(FoundSteady > Start && FoundSteady - Start <= 10, "2 % is found within 10 s");
		Expect(ProvenSteady > Start && ProvenSteady - Start <= 20, "2 % is proven within 20 s",
			ProvenSteady - Start);
		Expect(False == 0, "loss, jitter, duplicates and stalls are no evidence");
		Expect(Levels == 0, "each finding says what it is");
		const FNetClockVerdict Verdict = Watch->GetPlayerVerdict(Steady.ServerController);
		Expect(Verdict.Worst == ENetClockSuspicion::Proven && Verdict.Finding == ENetClockFinding::Fast,
			"it is proven in the end");
		Expect(Watch->GetPlayerVerdict(Honest.ServerController).Level == ENetClockSuspicion::Plausible,
			"an honest clock is plausible");
		Expect(Watch->GetPlayerVerdict(nullptr).Level == ENetClockSuspicion::Unknown,
			"of nobody nothing is known");
		Watch->ExcusePlayerClockSeconds(Steady.ServerController, 60);
		SetRate(Steady, -15);
		const int32 Before = Watch->GetPlayerVerdict(Steady.ServerController).Findings;
		Session.Run(50);
		Expect(Watch->GetPlayerVerdict(Steady.ServerController).Findings == Before,
			"what is excused is no finding");
		for (const auto& Peer : Session.Peers)
		{
			Expect(Peer->Kicks == 0, "nobody is thrown out by the plugin");
		}
	}

	/** The three functions in ticks, over a transport of the game's own; no component takes part. */
	SCENARIO(OwnTransport, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 23);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		UWorld* Here = Peer.Machine.World;
		UWorld* There = Session.Server->World;
		FNetClockRequest Request;
		FNetClockReply Reply;
		const double Now = FDouble::State.Now;
		Peer.Machine.Enter(Now);
		Expect(UNetClockBlueprintLibrary::MakeClockRequest(Here, Request), "a request");
		Expect(!UNetClockBlueprintLibrary::MakeClockRequest(There, Request) && Request.Id == 0,
			"none on the server");
		Expect(UNetClockBlueprintLibrary::MakeClockRequest(Here, Request), "another request");
		Session.Server->Enter(Now + 0.020);
		const int64 Received = UNetClockBlueprintLibrary::GetLocalClockTicks();
		Session.Server->Enter(Now + 0.021);
		Expect(UNetClockBlueprintLibrary::AnswerClockRequest(There, Request, Received, Reply), "an answer");
		Expect(!UNetClockBlueprintLibrary::AnswerClockRequest(Here, Request, Received, Reply),
			"none on a client");
		Session.Server->Enter(Now + 0.021);
		UNetClockBlueprintLibrary::AnswerClockRequest(There, Request, Received, Reply);
		Peer.Machine.Enter(Now + 0.041);
		Expect(UNetClockBlueprintLibrary::HandleClockReply(Here, Reply), "the reply is accepted");
		Expect(!UNetClockBlueprintLibrary::HandleClockReply(Here, Reply), "but not twice");
		const double ShownMs =
			static_cast<double>(UNetClockBlueprintLibrary::GetServerTimeWithinFrameTicks(Here)) * 1e-4;
		const double TruthMs = Session.Server->Clock.At(Now + 0.041) * 1000;
		ExpectNear(ShownMs, TruthMs, 5, "the server's time, off by (ms)");
		Session.Run(1);
	}
}
