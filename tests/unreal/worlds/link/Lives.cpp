// Tests the link in games with blocked networks, ports, travel, keys, and two players on one machine.
#include "NetClock/Link/NetClockLink.h"
#include "NetClockCLibrary.h"
#include "Network.h"
#include "Scenarios.h"

namespace Scenarios
{
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
	static uint32 KeyOf(const FPeer& Peer)
	{
		const netclock::guest* Guest = Peer.Machine.Get<UNetClockSession>()->GetGuest();
		return Guest ? Guest->link_offer()->key.id : 0;
	}
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
		Expect(ProbesIn(Session, Peer, 5) > 30, "probes without a link");
		Expect(Said("no answer from the server's UDP port 7788") == 1, "logged once");
		Expect(StatusHas(Peer.Machine, "blocked: no answer from UDP port 7788"), "the status reports this");
		Peer.bUdpBlocked = false;
		Session.Run(40);
		Expect(IsLinked(Peer), "the client links when the network allows it");
		Expect(Said("linked with the server at UDP port 7788") == 2, "logged once for each client");
		Expect(StatusHas(Peer.Machine, "linked at UDP port 7788, stamped by"),
			"the status reports the source of stamps");
		Expect(StatusHas(*Session.Server, "serving at UDP port 7788"), "the server reports the port");
		Session.Run(60);
		ExpectIn(ProbesIn(Session, Peer, 60), 1, 14, "probes in a minute with a good link");
		Peer.bUdpBlocked = true;
		// The next request is sent within 5 1/3 s, and the client notices the silence two seconds later.
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
			"no link is tried");
		Expect(StatusHas(Peer.Machine, "not possible here: the connection has no IP address"),
			"the status reports the reason");
		Expect(ProbesIn(Session, Peer, 5) > 30, "probes without a link");
		Promises(Peer);
		for (const TCHAR* Address : {TEXT("192.0.2.1"), TEXT("::1"), TEXT("[2001:db8::7]"),
				 TEXT("::ffff:192.0.2.1")})
		{
			Expect(NetClock::IsIpAddress(FString(Address)), FDouble::Narrow(Address) + " is an address");
		}
		for (const TCHAR* Address : {TEXT(""), TEXT("76561198000000001"), TEXT("12.oculus"), TEXT("1.2.3"),
				 TEXT("1.2.3.4.5"), TEXT("localhost"), TEXT("1.2.3.4:7777"), TEXT("EOS:00021aa:game"),
				 TEXT("a:b")})
		{
			Expect(!NetClock::IsIpAddress(FString(Address)), FDouble::Narrow(Address) + " is not an address");
		}
	}

	SCENARIO(LinkPorts, Tools)
	{
		{
			FDuo Session(Seed + 32);
			Session.Run(5);
			Expect(LinkServers() == 0 && LinkClients() == 0, "there are no links until a port is set");
			Expect(StatusHas(Session.Peer.Machine, "off: no port is set"), "the status reports this");
		}
		const FLinkProject Project("LinkPortCount=2");
		{
			FDuo Session(Seed + 32, Link(), NM_ListenServer);
			Session.Run(5);
			Expect(IsLinked(Session.Peer) && LinkClients() == 1, "a listen server links only its clients");
			// Two more servers run on this machine.
			FMachine Second(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed});
			FMachine Third(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed + 1});
			const int32 Warned = FDouble::State.Warnings;
			for (FMachine* Machine : {&Second, &Third})
			{
				Machine->NextFrame = FDouble::State.Now;
				for (int32 Frame = 0; Frame < 3; ++Frame) { Machine->Frame(); }
			}
			Expect(LinkOf(Second).Port == 7789 && LinkOf(Second).State == ENetClockLinkState::Serving,
				"the second server uses the next port");
			Expect(LinkOf(Third).State == ENetClockLinkState::NoPort && FDouble::State.Warnings == Warned + 1,
				"the missing port for the third server is logged once");
			Expect(StatusHas(Third, "off: no port could be opened"), "the status reports a missing port");
			Second.Quit();
			Third.Quit();
			Expect(LinkServers() == 1, "links close with the game");
		}
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 40);
		FLinkNetwork::Get().FirstAllowed = 7789;
		FPeer& Peer = Session.Join(At(), Link());
		Session.Run(5);
		Expect(IsLinked(Peer) && LinkOf(*Session.Server).Port == 7789, "serves at the first allowed port");
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
		Expect(IsLinked(Peer) && KeyOf(Peer) == Key, "the link continues after travel");
		Promises(Other);
		Expect(LinkOf(*Session.Server).Foreign == 0, "there are no foreign datagrams");
		// After the player has left the server, the server no longer knows this key.
		FSession::EndPlayer(Peer.ServerController);
		Session.Run(12);
		Expect(LinkOf(*Session.Server).Foreign > 0, "the server forgets the key of a player who left");
		Session.Disconnect(Peer);
		Session.Run(3);
		const int32 Answered = LinkOf(*Session.Server).Requests;
		Session.Connect(Peer);
		Session.Run(10);
		Expect(IsLinked(Peer) && KeyOf(Peer) != Key, "a reconnect uses a new key");
		Expect(LinkOf(*Session.Server).Requests > Answered && LinkClients() == 2, "each client has one link");
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
		Expect(LinkClients() == 0 && LinkServers() == 0, "a player alone has no link");
	}

	/** Two players share a connection, a clock and a link, and the first player's component sends the
	 * requests. */
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
		Expect(First && Second && First != Second, "each player has a component");
		int32 OfFirst = 0, OfSecond = 0;
		Peer.Passes = [&](const UObject* Object, const FDoubleRpc&)
		{
			OfFirst += Object == First ? 1 : 0;
			OfSecond += Object == Second ? 1 : 0;
			return true;
		};
		Session.Run(57);
		Expect(IsLinked(Peer) && LinkClients() == 1, "both players share one link");
		Expect(OfFirst > 0 && OfSecond == 0, "only the first player's component makes requests");
		// The first player's key is removed with the player, so the second player's key takes over.
		Session.LeaveFirst(Peer);
		Session.Run(1);
		const int32 Served = LinkOf(*Session.Server).Requests;
		Session.Run(15);
		Expect(IsLinked(Peer) && LinkClients() == 1, "the link uses the second player's key");
		Expect(LinkOf(*Session.Server).Requests > Served, "the server answers requests with the second key");
		Expect(OfSecond > 0, "the second player's component makes requests");
		Promises(Peer);
	}
}
