// Ends and restarts servers, and moves them to another world with or without their players.
#include "Session.h"

#include "link/Network.h"

void FSession::RestartServer(FMachineSettings Settings)
{
	for (const auto& Peer : Peers) { Disconnect(*Peer); }
	Server->World->TearDown(EEndPlayReason::Quit);
	FLinkNetwork::Get().EndProcess(Server->Address);
	FDouble::State.Now = TrueNow;
	Server = std::make_unique<FMachine>(Settings, NM_DedicatedServer, FDice{Dice.Next()});
	Server->Enter(TrueNow);
	StartServer(NM_DedicatedServer);
}

void FSession::LoseServer()
{
	for (const auto& Held : Peers)
	{
		FPeer& Peer = *Held;
		if (!Peer.bConnected) { continue; }
		Disconnect(Peer);
		FMachine& Machine = Peer.Machine;
		Machine.Enter(TrueNow);
		Machine.OnDispatched = Machine.OnActors = Machine.OnEnd = nullptr;
		Machine.Driver = nullptr;
		Machine.Travel(NM_Standalone);
		Peer.bAlone = true;
	}
	Server->Enter(TrueNow);
	Server->OnFlush = Server->OnEnd = nullptr;
	Server->Quit();
}

void FSession::Promote(FPeer& Peer, ENetMode Mode)
{
	check(Peer.bAlone);
	Peer.bAlone = false;
	Server = std::move(Peer.Owned);
	Server->OnEnd = nullptr;
	OpenServer(Mode);
}

void FSession::OpenServer(ENetMode Mode)
{
	Server->Enter(TrueNow);
	Server->World->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Mode);
	StartServer(Mode);
	Server->World->BeginPlay();
}

void FSession::HardTravel()
{
	for (const auto& Peer : Peers) { Disconnect(*Peer); }
	OpenServer(Server->World->NetMode);
}

void FSession::SeamlessTravel()
{
	// The server travels first, and each client follows when it receives the message. BeginPlay is not called
	// again on components.
	std::vector<APlayerController*> Along;
	for (const auto& Peer : Peers)
	{
		if (Peer->ServerController) { Along.push_back(Peer->ServerController); }
	}
	Server->Enter(TrueNow);
	Server->Travel(Server->World->NetMode, Along);
	Server->World->SpawnAny(GameStateClass)->BeginPlay();
	for (const auto& Held : Peers)
	{
		FPeer& Peer = *Held;
		Peer.bBehind = true;
		const auto Arrive = [&Peer]()
		{
			if (!Peer.Controller) { return; }
			Peer.Machine.Travel(NM_Client, {Peer.Controller});
			Peer.Judged.LastShown = -1e300;
			Peer.bBehind = false;
			Peer.bTravelled = true;
			CountEvents(Peer);
		};
		Send(Peer, false, ECarried::Repeated,
			[&Peer, Arrive]()
			{
				if (Peer.LoadSeconds <= 0)
				{
					Arrive();
					return;
				}
				Peer.Machine.Deliver(FDouble::State.Now + Peer.LoadSeconds, Arrive);
			});
	}
}
