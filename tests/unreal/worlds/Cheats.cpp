// Tests clients that flood the server, clients with a fast clock, and a game's own transport.
#include "Scenarios.h"

namespace Scenarios
{
	/** Counts the bytes that are copied while long datagrams arrive. */
	static int64 CopiedOfLong = 0;

	static FDoubleRpc Datagram(TArray<uint8> Bytes)
	{
		FDoubleRpc Rpc;
		Rpc.Name = "UNetClockComponent::ServerBytes";
		Rpc.Run = [Bytes](UObject* Target)
		{
			const int64 Copied = FDouble::CopiedItems;
			static_cast<UNetClockComponent*>(Target)->ServerBytes_Implementation(Bytes);
			CopiedOfLong += Bytes.Num() > UNetClockComponent::MaxBytes ? FDouble::CopiedItems - Copied : 0;
		};
		return Rpc;
	}

	FDoubleRpc Probe(int64 Id, int64 Ticks)
	{
		TArray<uint8> Bytes{0x4E, 0x4B, 1, 1, 0, 0, 0, 0};
		for (const int64 Part : {Id, Ticks, int64{0}})
		{
			for (int32 Shift = 56; Shift >= 0; Shift -= 8) { Bytes.Add(static_cast<uint8>(Part >> Shift)); }
		}
		return Datagram(Bytes);
	}

	DUO(Flood, Once, Seed + 20)
	{
		FPeer& Honest = Session.Join(At(60, 20, 800), Link());
		Session.Run(5);
		const int32 Before = Peer.CallsDown;
		TArray<uint8> Long, Longest;
		Long.SetNum(60000);
		const auto Burst = [&](int32 Count, const TArray<uint8>* Bytes)
		{
			const int64 Dropped = Peer.ServerComponent()->GetCounts().Dropped;
			for (int32 Index = 0; Index < Count; ++Index)
			{
				Session.Forge(Peer, Peer.ServerComponent(), Bytes ? Datagram(*Bytes) : Probe(Index, 1));
			}
			Session.Run(0.5);
			return static_cast<double>(Peer.ServerComponent()->GetCounts().Dropped - Dropped);
		};
		double Dropped = 0;
		for (int32 Step = 0; Step < 20; ++Step) { Dropped += Burst(100, &Long) + Burst(900, nullptr); }
		// The server replies at most once per frame, and replies also use up the budget for datagrams.
		ExpectIn(Peer.CallsDown - Before, 1, 21 * 30 + 64 + 1, "replies to 20,000 datagrams");
		Expect(Dropped > 19000, "the other datagrams were dropped", Dropped);
		Session.Run(10);
		// No matter how long a player was silent, the budget allows 64 datagrams at once and 30 per second.
		ExpectIn(Burst(1000, nullptr), 880, 960, "short datagrams were dropped after a silence");
		Session.Run(10);
		ExpectIn(Burst(1000, &Long), 950, 1050, "long datagrams were dropped");
		ExpectIn(Burst(100, nullptr), 60, 102, "short datagrams were dropped, because the budget was spent");
		ExpectNone(CopiedOfLong, "bytes of long datagrams were copied");
		// The datagram makes no sense, but it is short enough to be accepted.
		Session.Run(10);
		Longest.SetNum(UNetClockComponent::MaxBytes);
		Expect(Burst(1, &Longest) <= 0, "a datagram of the maximum length is not dropped");
		Longest.Add(0);
		// The network may lose some of the datagrams.
		Expect(Burst(3, &Longest) >= 1, "a datagram that is a byte longer is dropped");
		Expect(Peer.bConnected && Peer.ServerController, "the connection stayed open");
		Expect(Honest.ServerComponent()->GetCounts().Dropped == 0, "the other player was not limited");
		Promises(Honest);
	}

	/** Changes the rate of the machine's clock but not its time. */
	static void SetRate(FPeer& Peer, double Ppm)
	{
		FMachineClock& Clock = Peer.Machine.Clock;
		const double Now = Clock.At(FDouble::State.Now);
		Clock.Ppm = Ppm;
		Clock.Origin += Now - Clock.At(FDouble::State.Now);
	}

	/** One player's clock is fast, and another player is honest but has a bad connection. */
	DUO(SpeedHacks, Once, Seed + 24)
	{
		FPeer& Cheat = Peer;
		FPeer& Honest = Session.Join(At(60, 80, 90), Link(60, 30, 0.10, 0.05));
		UNetClockWatch* Watch = UNetClockWatch::Of(Session.Server->World);
		const auto Verdict = [&](const FPeer& Of)
		{ return Watch->GetPlayerVerdict(Of.ServerController); };
		double FoundAt = -1;
		int32 OfOthers = 0;
		Watch->OnPlayerClockSuspected.AddLambda([&](APlayerController* Player, FNetClockVerdict Told)
		{
			const bool bCheat = Player == Cheat.ServerController && Told.GainedMs > 0 &&
				Told.Level >= ENetClockSuspicion::Likely && Told.Finding != ENetClockFinding::None;
			OfOthers += bCheat ? 0 : 1;
			FoundAt = bCheat && FoundAt < 0 ? FDouble::State.Now : FoundAt;
		});
		Session.Run(30);
		Expect(FoundAt < 0, "there is no suspicion before the clock runs fast");
		const double Start = FDouble::State.Now;
		SetRate(Cheat, 20000);
		Honest.Machine.Hitch = 2;
		Session.Run(40);
		std::printf("    a clock that is 2 %% fast: detected after %.1f s\n", FoundAt - Start);
		// The fast clock is usually detected within ten seconds. In 15 s, the clock gains 300 ms, which is
		// far more than any delay on this path.
		ExpectIn(FoundAt - Start, 0, 15, "seconds until a rate of 2 % is detected");
		Expect(OfOthers == 0, "there are no events about other players", OfOthers);
		const int32 Findings = Verdict(Cheat).Findings;
		Expect(Verdict(Cheat).Worst == ENetClockSuspicion::Proven &&
				Verdict(Cheat).Finding == ENetClockFinding::Fast,
			"the verdict states that the fast clock is proven");
		Expect(Verdict(Honest).Level == ENetClockSuspicion::Plausible, "the honest clock is plausible");
		Expect(Watch->GetPlayerVerdict(nullptr).Level == ENetClockSuspicion::Unknown, "no player is unknown");
		Watch->ExcusePlayerClockSeconds(Cheat.ServerController, 60);
		SetRate(Cheat, -15);
		Session.Run(40);
		Expect(Verdict(Cheat).Findings == Findings, "excused time adds no findings");
		Expect(Cheat.bConnected && Honest.bConnected, "the plugin closes no connection");
	}

	bool ExchangeOverOwnTransport(const FMachine& Client, const FMachine& Server, double WaySeconds)
	{
		using Nodes = UNetClockBlueprintLibrary;
		FNetClockRequest Request;
		FNetClockReply Reply;
		Client.Enter();
		Expect(Nodes::MakeClockRequest(Client.World, Request), "a request");
		Server.Enter(FDouble::State.Now + WaySeconds);
		const int64 Received = Nodes::GetLocalClockTicks();
		Server.Enter(FDouble::State.Now + 0.001);
		Expect(Nodes::AnswerClockRequest(Server.World, Request, Received, Reply), "an answer");
		Client.Enter(FDouble::State.Now + WaySeconds);
		const bool bAccepted = Nodes::HandleClockReply(Client.World, Reply);
		Expect(!Nodes::HandleClockReply(Client.World, Reply), "no reply is accepted twice");
		return bAccepted;
	}

	DUO(OwnTransport, Once, Seed + 23)
	{
		using Nodes = UNetClockBlueprintLibrary;
		Session.Run(5);
		UWorld *Here = Peer.Machine.World, *There = Session.Server->World;
		FNetClockRequest Request;
		FNetClockReply Reply;
		Expect(!Nodes::MakeClockRequest(There, Request) && Request.Id == 0, "the server makes no requests");
		Expect(!Nodes::AnswerClockRequest(Here, Request, 0, Reply), "a client makes no replies");
		Expect(ExchangeOverOwnTransport(Peer.Machine, *Session.Server, 0.02), "the reply is accepted");
		const UNetClockSession& Own = *Peer.Machine.Get<UNetClockSession>();
		const double ShownMs = NetClock::TicksToMs(Own.ReadClient(Nodes::GetLocalClockTicks()).ServerTicks);
		ExpectNear(ShownMs, Session.Server->Clock.At(FDouble::State.Now) * 1000, 5, "the server's time (ms)");
	}
}
