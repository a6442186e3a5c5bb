// Servers that end, begin again or move on to another world, with their players or without.
#include "Session.h"

#include "link/Network.h"

#include <algorithm>

#include "GameFramework/GameStateBase.h"

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
		Machine.World->TearDown(EEndPlayReason::LevelTransition);
		Machine.Driver = nullptr;
		Machine.OpenWorld(NM_Standalone);
		Machine.World->BeginPlay();
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
	Server->Enter(TrueNow);
	Server->World->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Mode);
	StartServer(Mode);
	Server->World->BeginPlay();
}

void FSession::HardTravel()
{
	for (const auto& Peer : Peers) { Disconnect(*Peer); }
	const ENetMode Mode = Server->World->NetMode;
	Server->Enter(TrueNow);
	Server->World->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Mode);
	StartServer(Mode);
	Server->World->BeginPlay();
}

void FSession::SeamlessTravel()
{
	// The server first; each client when it is told. Controllers go along, and their components are not begun
	// again.
	UWorld* Old = Server->World;
	std::vector<AActor*> Travelling;
	for (const auto& Peer : Peers)
	{
		if (Peer->ServerController) { Travelling.push_back(Peer->ServerController); }
	}
	auto Take = [](UWorld* From, const std::vector<AActor*>& Actors)
	{
		for (AActor* Actor : Actors)
		{
			From->Actors.erase(
				std::remove(From->Actors.begin(), From->Actors.end(), Actor), From->Actors.end());
		}
	};
	auto Bring = [](UWorld* To, AActor* Actor)
	{
		Actor->OuterPrivate = To;
		To->Actors.push_back(Actor);
		To->Controllers.emplace_back(static_cast<APlayerController*>(Actor));
	};
	const ENetMode Mode = Old->NetMode;
	Server->Enter(TrueNow);
	Take(Old, Travelling);
	Old->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Mode);
	Server->World->BeginPlay();
	for (AActor* Actor : Travelling) { Bring(Server->World, Actor); }
	Server->World->SpawnAny(GameStateClass)->BeginPlay();
	for (const auto& Held : Peers)
	{
		FPeer& Peer = *Held;
		Peer.bBehind = true;
		const auto Arrive = [&Peer, Take, Bring]()
		{
			UWorld* Before = Peer.Machine.World;
			if (!Peer.Controller) { return; }
			Take(Before, {Peer.Controller});
			Before->TearDown(EEndPlayReason::LevelTransition);
			Peer.Machine.OpenWorld(NM_Client);
			Peer.Machine.World->BeginPlay();
			Bring(Peer.Machine.World, Peer.Controller);
			Peer.Judged.LastShown = -1e300;
			Peer.bBehind = false;
			Peer.bTravelled = true;
			HearEvents(Peer);
		};
		Send(Peer, false, ECarried::Repeated,
			[&Peer, Arrive]()
			{
				if (Peer.LoadSeconds > 0)
				{
					Peer.Machine.Deliver(FDouble::State.Now + Peer.LoadSeconds, Arrive);
				}
				else { Arrive(); }
			});
	}
}
