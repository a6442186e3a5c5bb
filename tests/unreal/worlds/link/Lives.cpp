// The link during a game: blocked networks, ports, travel and keys.
#include "NetClock/Peers/NetClockHandover.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Link/NetClockLink.h"
#include "Net/UnrealNetwork.h"
#include "Project.h"

namespace Scenarios
{
	static int32 Said(const char* Part)
	{
		int32 Times = 0;
		for (const std::string& Line : FDouble::State.Displayed)
		{
			Times += Line.find(Part) != std::string::npos ? 1 : 0;
		}
		return Times;
	}

	static int32 ProbesIn(FSession& Session, const FPeer& Peer, double Seconds)
	{
		const int32 Before = Peer.CallsUp;
		Session.Run(Seconds);
		return Peer.CallsUp - Before;
	}

	SCENARIO(LinkFallsBack, Tools)
	{
		const FLinkProject Project;
		FDouble::State.Displayed.clear();
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 30);
		FPeer& Peer = Session.Add(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(30, 15, 30), Link(25, 4, 0.01, 0.01));
		Peer.bUdpBlocked = true;
		Session.Connect(Peer);
		Session.Run(20);
		Expect(IsLinked(Other), "the other client is linked");
		const ENetClockLinkState Blocked = LinkOf(Peer.Machine).State;
		Expect(Blocked == ENetClockLinkState::Blocked, "blocked");
		Expect(ProbesIn(Session, Peer, 5) > 30, "as many probes as without a link");
		Expect(Said("no answer from the server's UDP port 7788") == 1, "logged once");
		Expect(StatusHas(Peer.Machine, "blocked: no answer from UDP port 7788"), "the status reports it");
		Peer.bUdpBlocked = false;
		Session.Run(40);
		Expect(IsLinked(Peer), "linked when it is possible");
		Expect(Said("linked with the server at UDP port 7788") == 2, "logged once for each client");
		Expect(StatusHas(Peer.Machine, "linked at UDP port 7788, stamped by"),
			"the status reports the source of stamps");
		Expect(StatusHas(*Session.Server, "serving at UDP port 7788"), "the server's status");
		Session.Run(60);
		ExpectIn(ProbesIn(Session, Peer, 60), 1, 25, "probes in a minute beside a good link");
		Peer.bUdpBlocked = true;
		// Silence is noticed only after a request, which takes up to 5 s and a third. Then it takes two more
		// seconds.
		Session.Run(9);
		Expect(ProbesIn(Session, Peer, 2) > 11, "probes take over");
		Session.Run(20);
		Promises(Peer);
		Promises(Other);
	}

	SCENARIO(LinkIsNotPossible, Tools)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 31);
		Session.bRelayed = true;
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(20);
		Expect(LinkOf(Peer.Machine).State == ENetClockLinkState::NotPossible && LinkClients() == 0,
			"nothing is tried");
		Expect(StatusHas(Peer.Machine, "not possible here: the connection has no IP address"),
			"the status reports it");
		Expect(ProbesIn(Session, Peer, 5) > 30, "as many probes as without a link");
		Promises(Peer);
		for (const TCHAR* Address : {TEXT("192.0.2.1"), TEXT("1.2.3.4"), TEXT("::1"), TEXT("[2001:db8::7]"),
				 TEXT("::ffff:192.0.2.1")})
		{
			Expect(NetClock::IsIpAddress(FString(Address)), FDouble::Narrow(Address) + " is an address");
		}
		for (const TCHAR* Address : {TEXT(""), TEXT("76561198000000001"), TEXT("12.oculus"), TEXT("1.2.3"),
				 TEXT("1..2.3"), TEXT("1.2.3.4.5"), TEXT("1.2.3.4444"), TEXT("1.2.3."), TEXT("localhost"),
				 TEXT("1.2.3.4:7777"), TEXT("EOS:00021aa:game"), TEXT("a:b")})
		{
			Expect(!NetClock::IsIpAddress(FString(Address)), FDouble::Narrow(Address) + " is no address");
		}
	}

	SCENARIO(LinkPorts, Tools)
	{
		{
			// The link is off until a port is set.
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 32);
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Expect(LinkServers() == 0 && LinkClients() == 0, "off");
			Expect(LinkOf(Peer.Machine).State == ENetClockLinkState::Off, "nothing is tried");
			Expect(StatusHas(Peer.Machine, "off: no port is set"), "the status reports it");
		}
		{
			const FLinkProject Project("LinkPortCount=2");
			FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 32);
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Expect(IsLinked(Peer), "on a listen server, too");
			// Two more servers on this machine.
			FMachine Second(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed});
			FMachine Third(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed + 1});
			const int32 Warned = FDouble::State.Warnings;
			for (FMachine* Machine : {&Second, &Third})
			{
				Machine->NextFrame = FDouble::State.Now;
				for (int32 Frame = 0; Frame < 3; ++Frame) { Machine->Frame(); }
			}
			Expect(LinkOf(Second).Port == 7789 && LinkOf(Second).State == ENetClockLinkState::Serving,
				"the next port");
			Expect(LinkOf(Third).State == ENetClockLinkState::NoPort && FDouble::State.Warnings == Warned + 1,
				"no port is left, which is logged once");
			Expect(StatusHas(Third, "off: no port could be opened"), "the status reports it");
			Second.Quit();
			Third.Quit();
			Expect(LinkServers() == 1, "closed with the game");
		}
		{
			const FLinkProject Project("LinkPortCount=4");
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 40);
			FLinkNetwork::Get().FirstAllowed = 7790;
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Expect(IsLinked(Peer) && LinkOf(*Session.Server).Port == 7790,
				"the first port that the system allows");
		}
	}

	SCENARIO(LinkLives, Always)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 33);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(30, 15, 30), Link(25, 4, 0.01, 0.01));
		Session.Run(15);
		Expect(IsLinked(Peer) && IsLinked(Other), "linked");
		const uint32 Key = KeyOf(Peer);
		Session.SeamlessTravel();
		Session.Run(10);
		Expect(IsLinked(Peer) && KeyOf(Peer) == Key, "the same link after travel");
		Promises(Other);
		Session.Disconnect(Peer);
		Session.Run(3);
		const int32 Answered = LinkOf(*Session.Server).Requests;
		Session.Connect(Peer);
		Session.Run(10);
		Expect(IsLinked(Peer) && KeyOf(Peer) != Key, "another key after a reconnect");
		Expect(LinkOf(*Session.Server).Requests > Answered && LinkClients() == 2, "one link for each");
		Promises(Peer);
		const auto Rejoin = [&](const char* What)
		{
			Session.Run(0.5);
			Session.ConnectAll();
			Session.Run(15);
			Expect(IsLinked(Peer) && IsLinked(Other), What);
			Promises(Peer);
		};
		Session.HardTravel();
		Rejoin("linked after another travel");
		Session.RestartServer(At(60, -30, 9000));
		Rejoin("linked with the new server");
		Promises(Other);
		Session.LoseServer();
		Session.Run(1);
		Expect(LinkClients() == 0 && LinkServers() == 0, "alone there is no link");
	}

	/** The host leaves, and a player's machine continues its time. */
	SCENARIO(LinkHosts, Always)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 34);
		FPeer& Next = Session.Join(At(60, -15, 300), Link(15, 3, 0.01, 0.01));
		FPeer& Peer = Session.Join(At(60, 15, 70), Link(25, 4, 0.01, 0.01));
		Session.Run(20);
		Expect(IsLinked(Next) && IsLinked(Peer), "linked with the host");
		Session.LoseServer();
		for (const FPeer* Each : {&Next, &Peer})
		{
			Each->Machine.Enter();
			Expect(UNetClockHandover::Of(Each->Machine.World)->ContinueTimeOfPreviousServer() ==
					ENetClockContinuation::Kept,
				"the time is kept");
		}
		Session.Run(1);
		Session.Promote(Next, NM_ListenServer);
		Session.Run(0.5);
		Session.Connect(Peer);
		Session.Run(20);
		Expect(LinkOf(*Session.Server).State == ENetClockLinkState::Serving && IsLinked(Peer),
			"linked with the next one");
		ExpectNone(Peer.Judged.Backwards, "frames backwards");
		ExpectNone(Peer.Judged.OutsideBound, "frames outside the bound of the world time");
		ExpectNone(Peer.Judged.OutsideRealBound, "frames outside the bound of the real time");
	}

	/** Only the player itself gets its key, and without a key there is no answer. */
	SCENARIO(LinkKey, Always)
	{
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 35);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(60, 15, 30), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		Expect(KeyOf(Peer) != 0 && KeyOf(Other) != 0 && KeyOf(Peer) != KeyOf(Other), "each has its own key");
		const int32 Foreign = LinkOf(*Session.Server).Foreign;
		Expect(Foreign == 0, "no foreign datagrams");
		// The player leaves, and datagrams with its key are foreign from then on.
		for (UActorComponent* Component : Peer.ServerController->Components)
		{
			Component->End(EEndPlayReason::Destroyed);
		}
		Peer.ServerController->bGone = true;
		Session.Run(12);
		Expect(LinkOf(*Session.Server).Foreign > 0, "the key is forgotten with the player");
		Expect(IsLinked(Other), "others stay linked");
		Promises(Other);
	}
}
