// The link during a game: blocked networks, ports, travel, keys, and two players on one machine.
#include "NetClock/Link/NetClockLink.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClockCLibrary.h"
#include "Network.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** A project that sets the link's port. */
	struct FLinkProject : FProject
	{
		explicit FLinkProject(const std::string& More = "") :
			FProject("LinkPort=7788\n" + More, "NetClockLink.NetClockLinkSettings")
		{
		}
	};

	static FNetClockLinkStatus LinkOf(const FMachine& Machine)
	{
		return Machine.Get<UNetClockLink>()->GetLinkStatus();
	}
	static bool IsLinked(const FPeer& Peer)
	{
		return LinkOf(Peer.Machine).State == ENetClockLinkState::Linked;
	}
	/** The number of the key that a client was given. Zero if there is none. */
	static uint32 KeyOf(const FPeer& Peer)
	{
		const netclock::guest* Guest = Peer.Machine.Get<UNetClockSession>()->GetGuest();
		return Guest ? Guest->link_offer()->key.id : 0;
	}
	/** The numbers of open links, of servers and of clients. */
	static int32 LinkServers() { return FLinkNetwork::Get().CountServers(); }
	static int32 LinkClients() { return FLinkNetwork::Get().CountClients(); }

	static int32 Said(const char* Part)
	{
		int32 Times = 0;
		for (const std::string& Line : FDouble::State.Displayed) { Times += Has(Line, Part) ? 1 : 0; }
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
		FDuo Session(Seed + 30);
		FPeer& Peer = Session.Peer;
		FPeer& Other = Session.Join(At(30, 15, 30), Link());
		Peer.bUdpBlocked = true;
		Session.Run(20);
		Expect(IsLinked(Other), "the other client is linked");
		Expect(LinkOf(Peer.Machine).State == ENetClockLinkState::Blocked, "blocked");
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
		ExpectIn(ProbesIn(Session, Peer, 60), 1, 14, "probes in a minute beside a good link");
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
		FPeer& Peer = Session.Join(At(), Link());
		Session.Run(20);
		Expect(LinkOf(Peer.Machine).State == ENetClockLinkState::NotPossible && LinkClients() == 0,
			"nothing is tried");
		Expect(StatusHas(Peer.Machine, "not possible here: the connection has no IP address"),
			"the status reports it");
		Expect(ProbesIn(Session, Peer, 5) > 30, "as many probes as without a link");
		Promises(Peer);
		for (const TCHAR* Address : {TEXT("192.0.2.1"), TEXT("::1"), TEXT("[2001:db8::7]"),
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
			FDuo Session(Seed + 32);
			Session.Run(5);
			Expect(LinkServers() == 0 && LinkClients() == 0, "off until a port is set");
			Expect(StatusHas(Session.Peer.Machine, "off: no port is set"), "the status reports it");
		}
		const FLinkProject Project("LinkPortCount=2");
		{
			FDuo Session(Seed + 32, Link(), NM_ListenServer);
			Session.Run(5);
			Expect(IsLinked(Session.Peer) && LinkClients() == 1, "on a listen server, but not for the host");
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
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 40);
		FLinkNetwork::Get().FirstAllowed = 7789;
		FPeer& Peer = Session.Join(At(), Link());
		Session.Run(5);
		Expect(IsLinked(Peer) && LinkOf(*Session.Server).Port == 7789, "the first port that is allowed");
	}

	SCENARIO(LinkLives, Always)
	{
		const FLinkProject Project;
		FDuo Session(Seed + 33);
		FPeer& Peer = Session.Peer;
		FPeer& Other = Session.Join(At(30, 15, 30), Link());
		Session.Run(15);
		Expect(IsLinked(Peer) && IsLinked(Other), "linked");
		const uint32 Key = KeyOf(Peer);
		Expect(Key != 0 && KeyOf(Other) != 0 && Key != KeyOf(Other), "each has its own key");
		Session.SeamlessTravel();
		Session.Run(10);
		Expect(IsLinked(Peer) && KeyOf(Peer) == Key, "the same link after travel");
		Promises(Other);
		Expect(LinkOf(*Session.Server).Foreign == 0, "no foreign datagrams");
		// The player leaves at the server. Datagrams with its key are foreign from then on.
		for (UActorComponent* Component : Peer.ServerController->Components)
		{
			Component->End(EEndPlayReason::Destroyed);
		}
		Peer.ServerController->bGone = true;
		Session.Run(12);
		Expect(LinkOf(*Session.Server).Foreign > 0, "the key is forgotten with the player");
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
			Promises(Other);
		};
		Session.HardTravel();
		Rejoin("linked after another travel");
		Session.RestartServer(At(60, -30, 9000));
		Rejoin("linked with the new server");
		Session.LoseServer();
		Session.Run(1);
		Expect(LinkClients() == 0 && LinkServers() == 0, "alone there is no link");
	}

	/** Two players with one connection and one clock. The first player's component asks, and one link serves
	 * both. */
	SCENARIO(LinkSplitScreen, Always)
	{
		const FLinkProject Project;
		FDuo Session(Seed + 39);
		FPeer& Peer = Session.Peer;
		Session.Run(2);
		Session.JoinSecond(Peer);
		Session.Run(1);
		const UNetClockComponent* First = Peer.Component();
		const UNetClockComponent* Second = UNetClockComponent::Of(Peer.Second);
		Expect(First && Second && First != Second, "each has a component");
		int32 OfFirst = 0, OfSecond = 0;
		Peer.Passes = [&](const UObject* Object, const FDoubleRpc&)
		{
			OfFirst += Object == First ? 1 : 0;
			OfSecond += Object == Second ? 1 : 0;
			return true;
		};
		Session.Run(57);
		Expect(IsLinked(Peer) && LinkClients() == 1, "one link for both");
		Expect(OfFirst > 0 && OfSecond == 0, "only the first player's component asks");
		// The first player's key ends with the player, and the second player's key takes over.
		Session.LeaveFirst(Peer);
		Session.Run(1);
		const int32 Served = LinkOf(*Session.Server).Requests;
		Session.Run(15);
		Expect(IsLinked(Peer) && LinkClients() == 1, "linked by the second player's key");
		Expect(LinkOf(*Session.Server).Requests > Served, "and answered by it");
		Expect(OfSecond > 0, "the second player's component asks now");
		Promises(Peer);
	}
}
