// Clients that cheat with floods, invalid datagrams and fast clocks, and the game's own transport.
#include <cmath>

#include "Scenarios.h"

namespace Scenarios
{
	/** The number of bytes that were copied while long datagrams were received. */
	static int64 CopiedOfLong = 0;

	/** Returns a call with these bytes. */
	static FDoubleRpc Datagram(TArray<uint8> Bytes)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "UNetClockComponent::ServerBytes";
		Rpc.Run = [Bytes](UObject* Target)
		{
			const int64 Copied = FDouble::CopiedItems;
			static_cast<UNetClockComponent*>(Target)->ServerBytes_Implementation(Bytes);
			CopiedOfLong += Bytes.Num() > UNetClockComponent::MaxBytes ? FDouble::CopiedItems - Copied : 0;
			return true;
		};
		return Rpc;
	}

	FDoubleRpc Probe(int64 Id, int64 Ticks)
	{
		// A single request in the library's wire format.
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
		// There is at most one reply per frame, and at most one per datagram within the budget.
		ExpectIn(Answers, 1, 11 * 30 + 64 + 1, "replies to 20,000 datagrams");
		Expect(Cheat.ServerComponent()->GetCounts().Dropped > 19000, "the other datagrams were dropped");
		ExpectNone(CopiedOfLong, "bytes of long datagrams were copied");
		const auto Burst = [&](int32 Count, const FDoubleRpc& Rpc)
		{
			const int64 Dropped = Cheat.ServerComponent()->GetCounts().Dropped;
			for (int32 Index = 0; Index < Count; ++Index)
			{
				Session.Forge(Cheat, Cheat.ServerComponent(), Rpc);
			}
			Session.Run(0.5);
			return Cheat.ServerComponent()->GetCounts().Dropped - Dropped;
		};
		Session.Run(10);
		ExpectIn(static_cast<double>(Burst(1000, Datagram(Long))), 950, 1050, "long datagrams were dropped");
		ExpectIn(static_cast<double>(Burst(100, Probe(7, 1))), 60, 102,
			"short datagrams were dropped, because the budget was spent");
		Expect(Cheat.Kicks == 0 && Cheat.ServerController, "the connection stayed open");
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
			// Datagrams of any length. Half of them have the header of a session datagram.
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
		Expect(Peer.Kicks == 0 && Peer.ServerController, "the connection stayed open");
		Promises(Peer);
	}

	/** Changes the rate of the machine's clock without a step. */
	static void SetRate(FPeer& Peer, double Ppm)
	{
		FMachineClock& Clock = Peer.Machine.Clock;
		const double Now = Clock.At(FDouble::State.Now);
		Clock.Ppm = Ppm;
		Clock.Origin += Now - Clock.At(FDouble::State.Now);
	}

	/** A player whose clock runs fast, beside an honest one on a bad link. */
	SCENARIO(SpeedHacks, Once)
	{
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 24);
		FPeer& Cheat = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Honest = Session.Join(At(60, 80, 90), Link(60, 30, 0.10, 0.05));
		UNetClockWatch* Watch = UNetClockWatch::Of(Session.Server->World);
		double FoundAt = -1;
		int32 OfOthers = 0;
		Watch->OnPlayerClockSuspected.AddLambda([&](APlayerController* Player, FNetClockVerdict Verdict)
		{
			const bool bCheat = Player == Cheat.ServerController && Verdict.GainedMs > 0 &&
				Verdict.Level >= ENetClockSuspicion::Likely && Verdict.Finding != ENetClockFinding::None;
			OfOthers += bCheat ? 0 : 1;
			FoundAt = bCheat && FoundAt < 0 ? FDouble::State.Now : FoundAt;
		});
		Session.Run(30);
		Expect(FoundAt < 0, "no suspicion before the clock runs fast");
		const double Start = FDouble::State.Now;
		SetRate(Cheat, 20000);
		Honest.Machine.Hitch = 2;
		Session.Run(40);
		ExpectIn(FoundAt - Start, 0, 10, "seconds until 2 % are found");
		Expect(OfOthers == 0, "events about others", OfOthers);
		const FNetClockVerdict Verdict = Watch->GetPlayerVerdict(Cheat.ServerController);
		Expect(Verdict.Worst == ENetClockSuspicion::Proven && Verdict.Finding == ENetClockFinding::Fast,
			"the verdict is that the clock is fast, and proven");
		Expect(Watch->GetPlayerVerdict(Honest.ServerController).Level == ENetClockSuspicion::Plausible,
			"the honest clock is plausible");
		Expect(Watch->GetPlayerVerdict(nullptr).Level == ENetClockSuspicion::Unknown, "no player is unknown");
		Watch->ExcusePlayerClockSeconds(Cheat.ServerController, 60);
		SetRate(Cheat, -15);
		Session.Run(40);
		Expect(Watch->GetPlayerVerdict(Cheat.ServerController).Findings == Verdict.Findings,
			"excused time adds no findings");
		Expect(Cheat.Kicks == 0 && Honest.Kicks == 0, "the plugin closes no connection");
	}

	/** A game sends requests and replies over its own transport, without the component. */
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
			"the server makes no requests");
		Expect(UNetClockBlueprintLibrary::MakeClockRequest(Here, Request), "another request");
		Session.Server->Enter(Now + 0.020);
		const int64 Received = UNetClockBlueprintLibrary::GetLocalClockTicks();
		Session.Server->Enter(Now + 0.021);
		Expect(UNetClockBlueprintLibrary::AnswerClockRequest(There, Request, Received, Reply), "an answer");
		Expect(!UNetClockBlueprintLibrary::AnswerClockRequest(Here, Request, Received, Reply),
			"a client makes no replies");
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
