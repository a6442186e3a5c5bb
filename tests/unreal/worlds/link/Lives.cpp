// The link through the life of a game: what stands in its way, and who may use it.
#include "NetClock/Peers/NetClockHandover.h"
#include "HAL/IConsoleManager.h"
#include "Links.h"
#include "NetClock/Clock/NetClockSession.h"
#include "Link/NetClockLinkBackend.h"
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

	static bool StatusHas(const FMachine& Machine, const char* Part)
	{
		for (const std::string& Line : FDouble::Console(Machine.World, "NetClock.Status"))
		{
			if (Line.find(Part) != std::string::npos) { return true; }
		}
		return false;
	}

	static int32 ProbesIn(FSession& Session, const FPeer& Peer, double Seconds)
	{
		const int32 Before = Peer.CallsUp;
		Session.Run(Seconds);
		return Peer.CallsUp - Before;
	}

	void LinkFallsBack(uint64 Seed)
	{
		const char* Name = "link falls back";
		const FLinkProject Project;
		FDouble::State.Displayed.clear();
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 30);
		FPeer& Peer = Session.Add(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(30, 15, 30), Link(25, 4, 0.01, 0.01));
		Peer.bUdpBlocked = true;
		Session.Connect(Peer);
		Session.Run(20);
		Report::Expect(FLinkProject::IsLinked(Other), Name, "somebody else is linked");
		const ENetClockLinkState Blocked = FLinkProject::State(Peer.Machine);
		Report::Expect(Blocked == ENetClockLinkState::Blocked, Name, "blocked");
		Report::Expect(ProbesIn(Session, Peer, 5) > 50, Name, "as many probes as without a link");
		Report::Expect(Said("no answer from the server's UDP port 7788") == 1, Name, "said once");
		Report::Expect(
			StatusHas(Peer.Machine, "blocked: no answer from UDP port 7788"), Name, "the status says so");
		Peer.bUdpBlocked = false;
		Session.Run(40);
		Report::Expect(FLinkProject::IsLinked(Peer), Name, "linked when it is possible");
		Report::Expect(Said("linked with the server at UDP port 7788") == 2, Name, "said once for each");
		Report::Expect(StatusHas(Peer.Machine, "linked at UDP port 7788, stamped by"), Name,
			"the status says where stamps come from");
		Report::Expect(StatusHas(*Session.Server, "serving at UDP port 7788"), Name, "the server's status");
		Session.Run(60);
		Report::Expect(ProbesIn(Session, Peer, 60) < 15, Name, "few probes beside a good link");
		Peer.bUdpBlocked = true;
		// Silence is only noticed when something was asked: up to 5 s and a third, and two more.
		Session.Run(9);
		Report::Expect(ProbesIn(Session, Peer, 2) > 20, Name, "probes take over");
		Session.Run(20);
		Report::Promises(Peer, Name);
		Report::Promises(Other, Name);
	}

	void LinkIsNotPossible(uint64 Seed)
	{
		const char* Name = "link not possible";
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 31);
		Session.bRelayed = true;
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		Session.Run(20);
		Report::Expect(FLinkProject::State(Peer.Machine) == ENetClockLinkState::NotPossible &&
				FLinkNetwork::Get().CountClients() == 0,
			Name, "nothing is tried");
		Report::Expect(StatusHas(Peer.Machine, "not possible here: the connection has no IP address"), Name,
			"the status says so");
		Report::Expect(ProbesIn(Session, Peer, 5) > 50, Name, "as many probes as without a link");
		Report::Promises(Peer, Name);
		for (const TCHAR* Address : {TEXT("192.0.2.1"), TEXT("1.2.3.4"), TEXT("::1"), TEXT("[2001:db8::7]"),
				 TEXT("::ffff:192.0.2.1")})
		{
			Report::Expect(
				NetClock::IsIpAddress(FString(Address)), Name, FDouble::Narrow(Address) + " is an address");
		}
		for (const TCHAR* Address : {TEXT(""), TEXT("76561198000000001"), TEXT("12.oculus"), TEXT("1.2.3"),
				 TEXT("1..2.3"), TEXT("1.2.3.4.5"), TEXT("1.2.3.4444"), TEXT("1.2.3."), TEXT("localhost"),
				 TEXT("1.2.3.4:7777"), TEXT("EOS:00021aa:game"), TEXT("a:b")})
		{
			Report::Expect(
				!NetClock::IsIpAddress(FString(Address)), Name, FDouble::Narrow(Address) + " is no address");
		}
	}

	void LinkPorts(uint64 Seed)
	{
		const char* Name = "link ports";
		{
			// Off until a port is set.
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 32);
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Report::Expect(FLinkNetwork::Get().CountServers() == 0 && FLinkNetwork::Get().CountClients() == 0,
				Name, "off");
			Report::Expect(FLinkProject::State(Peer.Machine) == ENetClockLinkState::Off &&
					StatusHas(Peer.Machine, "off: no port is set"),
				Name, "the status says so");
		}
		{
			const FLinkProject Project("LinkPortCount=2");
			FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 32);
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Report::Expect(FLinkProject::IsLinked(Peer), Name, "on a listen server, too");
			// Two more servers on this machine.
			FMachine Second(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed});
			FMachine Third(At(60, 10, 5000), NM_DedicatedServer, FDice{Seed + 1});
			const int32 Warned = FDouble::State.Warnings;
			for (FMachine* Machine : {&Second, &Third})
			{
				Machine->NextFrame = FDouble::State.Now;
				for (int32 Frame = 0; Frame < 3; ++Frame) { Machine->Frame(); }
			}
			Report::Expect(FLinkProject::On(Second).GetLinkStatus().Port == 7789 &&
					FLinkProject::State(Second) == ENetClockLinkState::Serving,
				Name, "the next port");
			Report::Expect(FLinkProject::State(Third) == ENetClockLinkState::NoPort &&
					FDouble::State.Warnings == Warned + 1,
				Name, "none is left, said once");
			Report::Expect(StatusHas(Third, "off: no port could be opened"), Name, "the status says so");
			Second.Quit();
			Third.Quit();
			Report::Expect(FLinkNetwork::Get().CountServers() == 1, Name, "closed with the game");
		}
		{
			const FLinkProject Project("LinkPortCount=4");
			FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 40);
			FLinkNetwork::Get().FirstAllowed = 7790;
			FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
			Session.Run(5);
			Report::Expect(FLinkProject::IsLinked(Peer) &&
					FLinkProject::On(*Session.Server).GetLinkStatus().Port == 7790,
				Name, "the first port that the system allows");
		}
	}

	void LinkLives(uint64 Seed)
	{
		const char* Name = "link lives";
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 33);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(30, 15, 30), Link(25, 4, 0.01, 0.01));
		Session.Run(15);
		Report::Expect(FLinkProject::IsLinked(Peer) && FLinkProject::IsLinked(Other), Name, "linked");
		const int32 Key = Peer.Component()->LinkOffer.KeyId;
		Session.SeamlessTravel();
		Session.Run(10);
		Report::Expect(FLinkProject::IsLinked(Peer) && Peer.Component()->LinkOffer.KeyId == Key, Name,
			"the same link after travel");
		Report::Promises(Other, Name);
		Session.Disconnect(Peer);
		Session.Run(3);
		const int32 Answered = FLinkProject::On(*Session.Server).GetLinkStatus().Requests;
		Session.Connect(Peer);
		Session.Run(10);
		Report::Expect(FLinkProject::IsLinked(Peer) && Peer.Component()->LinkOffer.KeyId != Key, Name,
			"another key after a reconnect");
		Report::Expect(FLinkProject::On(*Session.Server).GetLinkStatus().Requests > Answered &&
				FLinkNetwork::Get().CountClients() == 2,
			Name, "one link for each");
		Report::Promises(Peer, Name);
		Session.HardTravel();
		Session.Run(0.5);
		for (FPeer* Each : {&Peer, &Other}) { Session.Connect(*Each); }
		Session.Run(15);
		Report::Expect(FLinkProject::IsLinked(Peer) && FLinkProject::IsLinked(Other), Name,
			"linked after another travel");
		Report::Promises(Peer, Name);
		Session.RestartServer(At(60, -30, 9000));
		Session.Run(0.5);
		for (FPeer* Each : {&Peer, &Other}) { Session.Connect(*Each); }
		Session.Run(15);
		Report::Expect(FLinkProject::IsLinked(Peer) && FLinkProject::IsLinked(Other), Name,
			"linked with the new server");
		Report::Promises(Peer, Name);
		Report::Promises(Other, Name);
		Session.LoseServer();
		Session.Run(1);
		Report::Expect(FLinkNetwork::Get().CountClients() == 0 && FLinkNetwork::Get().CountServers() == 0,
			Name, "alone there is no link");
	}

	/** The host leaves, and a player's machine goes on with its time. */
	void LinkHosts(uint64 Seed)
	{
		const char* Name = "link and hosts";
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_ListenServer, Seed + 34);
		FPeer& Next = Session.Join(At(60, -15, 300), Link(15, 3, 0.01, 0.01));
		FPeer& Peer = Session.Join(At(60, 15, 70), Link(25, 4, 0.01, 0.01));
		Session.Run(20);
		Report::Expect(
			FLinkProject::IsLinked(Next) && FLinkProject::IsLinked(Peer), Name, "linked with the host");
		Session.LoseServer();
		for (const FPeer* Each : {&Next, &Peer})
		{
			Each->Machine.Enter(FDouble::State.Now);
			Report::Expect(UNetClockHandover::Of(Each->Machine.World)->ContinueTimeOfPreviousServer() ==
					ENetClockContinuation::Kept,
				Name, "the time is kept");
		}
		Session.Run(1);
		Session.Promote(Next, NM_ListenServer);
		Session.Run(0.5);
		Session.Connect(Peer);
		Session.Run(20);
		Report::Expect(FLinkProject::State(*Session.Server) == ENetClockLinkState::Serving &&
				FLinkProject::IsLinked(Peer),
			Name, "linked with the next one");
		Report::Expect(
			Peer.Judged.Backwards == 0 && Peer.Judged.OutsideBound == 0 && Peer.Judged.OutsideRealBound == 0,
			Name, "the promises hold");
	}

	/** Nobody but the player gets the key, and without it there is no answer. */
	void LinkKey(uint64 Seed)
	{
		const char* Name = "link key";
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 35);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.01, 0.01));
		FPeer& Other = Session.Join(At(60, 15, 30), Link(25, 4, 0.01, 0.01));
		Session.Run(5);
		TArray<FLifetimeProperty> Lifetime;
		Peer.ServerComponent()->GetLifetimeReplicatedProps(Lifetime);
		const FLifetimeProperty* Offer = Lifetime.FindByPredicate(
			[](const FLifetimeProperty& It) { return std::string(It.Name) == "LinkOffer"; });
		Report::Expect(Offer && Offer->Condition == COND_OwnerOnly, Name, "to the owner alone");
		const FNetClockLinkOffer& Mine = Peer.Component()->LinkOffer;
		const FNetClockLinkOffer& Theirs = Other.Component()->LinkOffer;
		Report::Expect(Mine.KeyId != Theirs.KeyId && Mine.SecretHigh != Theirs.SecretHigh &&
				Mine.SecretLow != Theirs.SecretLow,
			Name, "everybody has another one");
		const int32 Foreign = FLinkProject::On(*Session.Server).GetLinkStatus().Foreign;
		Report::Expect(Foreign == 0, Name, "nobody is foreign");
		// The player leaves, and what it still sends is nobody's.
		for (UActorComponent* Component : Peer.ServerController->Components)
		{
			Component->End(EEndPlayReason::Destroyed);
		}
		Peer.ServerController->bGone = true;
		Session.Run(12);
		Report::Expect(FLinkProject::On(*Session.Server).GetLinkStatus().Foreign > 0, Name,
			"the key is forgotten with the player");
		Report::Expect(FLinkProject::IsLinked(Other), Name, "others stay linked");
		Report::Promises(Other, Name);
	}

	/** Probes are rare, but what changes in the world arrives as soon as ever, although messages are lost. */
	void LinkNews(uint64 Seed)
	{
		const char* Name = "link and news";
		const FLinkProject Project;
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 36);
		FPeer& Peer = Session.Join(At(60, -15, 300), Link(25, 4, 0.3, 0.01));
		Session.Run(90);
		// Of 5 requests in 2 s none is answered in one case of 29: then it is blocked, until a check of four.
		for (int32 Second = 0; Second < 300 && !FLinkProject::IsLinked(Peer); ++Second) { Session.Run(1); }
		Report::Expect(FLinkProject::IsLinked(Peer), Name, "linked");
		for (int32 Round = 0; Round < 20; ++Round)
		{
			AWorldSettings* Rules = Session.Server->World->Settings;
			Rules->TimeDilation = Round % 2 == 0 ? 0.5f : 1.0f;
			const int32 Known = Peer.Clock()->GetWorldKnowledge().Segments;
			Session.Run(1.5);
			Report::Expect(
				Peer.Clock()->GetWorldKnowledge().Segments > Known, Name, "news within a second and a half");
		}
		// Until the server knows, or has sent it 16 times in 2 s. Its last messages are on their way.
		Session.Run(3);
		const int32 Before = Peer.SegmentsDown;
		Session.Run(20);
		Report::Expect(Peer.SegmentsDown == Before, Name, "nothing is sent again once it is known");
		Report::Promises(Peer, Name);
	}
}
