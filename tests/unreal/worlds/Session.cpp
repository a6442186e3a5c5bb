// Runs a server, and the clients that join and leave it, frame by frame.
#include "Session.h"

#include <algorithm>

#include "link/Network.h"

FPeer::FPeer(FSession& InSession, int32 InNumber, FMachineSettings Settings, FLink InLink) :
	Owned(std::make_unique<FMachine>(Settings, NM_Standalone, FDice{InSession.Dice.Next()})), Machine(*Owned),
	Link(InLink), Number(InNumber)
{
}

FSession::FSession(FMachineSettings ServerSettings, ENetMode Mode, uint64 Seed) : Dice{Seed}
{
	FDouble::State.Now = 0;
	FDouble::State.Dice = FDice{Dice.Next()};
	bIris = Dice.Next() % 2 == 0;
	FLinkNetwork::Get() = FLinkNetwork();
	Server = std::make_unique<FMachine>(ServerSettings, Mode, FDice{Dice.Next()});
	Server->Enter(0);
	StartServer(Mode);
}

FSession::~FSession()
{
	for (const auto& Peer : Peers) { if (Peer->Owned) { Peer->Machine.Quit(); } }
	Server->Quit();
}

void FSession::StartServer(ENetMode Mode)
{
	Server->Driver = NewObject<UNetDriver>(Server->World);
	Server->World->NetDriver = Server->Driver;
	AActor* State = Server->World->SpawnAny(GameStateClass);
	State->BeginPlay();
	Server->Driver->Send = [this](UNetConnection* Connection, UObject* Object, FDoubleRpc Rpc)
	{
		if (Recording && Connection == Recording->Connection)
		{
			++Recording->Calls;
			return;
		}
		FPeer& Peer = *Peers[static_cast<size_t>(Connection->Peer)];
		if (IsDropped(Peer, *Connection, Rpc)) { return; }
		CountCall(Peer, Object, Rpc, false);
		auto Leave = [this, &Peer, Object, Rpc]()
		{
			Send(Peer, false, CarriedAs(Rpc),
				[&Peer, Object, Rpc]()
				{
					if (UObject* Here = Peer.Counterpart(Object)) { Rpc.Run(Here); }
				});
		};
		if (bQueueCalls) { Queued.push_back(Leave); } else { Server->Leave(Leave); }
	};
	Server->OnFlush = [this]() { FlushServer(); };
	if (Mode == NM_ListenServer)
	{
		APlayerController* Host = static_cast<APlayerController*>(Server->World->SpawnAny(ControllerClass));
		Host->Player = NewObject<ULocalPlayer>(Server->Game);
		Host->ReceivedPlayer();
	}
}

FPeer& FSession::Add(FMachineSettings Settings, FLink Link)
{
	FDouble::State.Now = TrueNow;
	Peers.push_back(std::make_unique<FPeer>(*this, static_cast<int32>(Peers.size()), Settings, Link));
	Peers.back()->Machine.Address = "198.51.100." + std::to_string(Peers.size());
	return *Peers.back();
}

FPeer& FSession::Join(FMachineSettings Settings, FLink Link)
{
	FPeer& Peer = Add(Settings, Link);
	Connect(Peer);
	return Peer;
}

AGameModeBase* FSession::Play(UClass* GameModeClass)
{
	UWorld* World = Server->World;
	Rules = static_cast<AGameModeBase*>(World->SpawnAny(GameModeClass));
	World->GameMode = Rules;
	GameStateClass = Rules->GameStateClass.Get();
	ControllerClass = Rules->PlayerControllerClass.Get();
	World->GetGameState()->EndPlay(EEndPlayReason::Destroyed);
	World->GetGameState()->bGone = true;
	World->SpawnAny(GameStateClass)->BeginPlay();
	Rules->BeginPlay();
	return Rules;
}

void FSession::Connect(FPeer& Peer)
{
	FMachine& Machine = Peer.Machine;
	Machine.Enter(TrueNow);
	Machine.World->TearDown(EEndPlayReason::LevelTransition);
	Machine.Driver = NewObject<UNetDriver>(Machine.Game);
	Machine.Driver->ServerConnection = NewObject<UNetConnection>(Machine.Driver);
	Machine.Driver->ServerConnection->RemoteAddress =
		FString(UTF8_TO_TCHAR(bRelayed ? "76561198000000001" : Server->Address.c_str()));
	Machine.OpenWorld(NM_Client);
	Machine.World->BeginPlay();
	Peer.bConnected = true;
	Peer.bAlone = false;
	Peer.bBehind = Peer.bTravelled = false;
	Peer.Judged = FJudged();
	CountEvents(Peer);
	Peer.JoinedAt = TrueNow;
	Peer.ReliableUp = Peer.ReliableDown = TrueNow;
	Peer.UnconfirmedUp = Peer.UnconfirmedDown = 0;
	Peer.ToldRate = {false, 1.0f};
	Peer.Channels.clear();
	Machine.Driver->Send = [this, &Peer](UNetConnection*, UObject* Object, FDoubleRpc Rpc)
	{
		if (Peer.Passes && !Peer.Passes(Object, Rpc)) { return; }
		if (IsDropped(Peer, *Peer.Machine.Driver->ServerConnection, Rpc)) { return; }
		CountCall(Peer, Object, Rpc, true);
		UObject* Target = nullptr;
		for (const auto& Channel : Peer.Channels)
		{
			Target = Channel.second.Here == Object ? Channel.first : Target;
		}
		if (!Target) { return; }
		Peer.Machine.Leave(
			[this, &Peer, Target, Rpc]() {
				Send(Peer, true, CarriedAs(Rpc),
					[this, &Peer, Target, Rpc]() { ArriveAtServer(Peer, Target, Rpc); });
			});
	};
	Machine.OnDispatched = [this, &Peer]() { Peer.Judged.ShownInFrame.clear(); Read(Peer); };
	Machine.OnActors = [this, &Peer]() { Read(Peer); };
	Machine.OnEnd = [this, &Peer]() { Read(Peer); Judge(Peer); };
	// The server creates the controller, and replication creates the client's copy.
	Send(Peer, true, ECarried::Repeated, [this, &Peer]()
	{
		Peer.ServerController = static_cast<APlayerController*>(Server->World->SpawnAny(ControllerClass));
		Peer.ServerConnection = NewObject<UNetConnection>(Server->Driver);
		Peer.ServerConnection->Peer = Peer.Number;
		Peer.ServerController->Player = Peer.ServerConnection;
		Peer.ServerController->ReceivedPlayer();
		if (Rules) { Rules->PostLogin(Peer.ServerController); }
	});
}

void FSession::JoinSecond(FPeer& Peer)
{
	Send(Peer, true, ECarried::Repeated, [this, &Peer]()
	{
		Peer.SecondAtServer = static_cast<APlayerController*>(Server->World->SpawnAny(ControllerClass));
		Peer.SecondAtServer->Player = Peer.ServerConnection;
		Peer.SecondAtServer->ReceivedPlayer();
	});
}

void FSession::EndPlayer(APlayerController* Player)
{
	for (UActorComponent* Component : Player->Components) { Component->End(EEndPlayReason::Destroyed); }
	Player->bGone = true;
}

void FSession::ForgetGone(UWorld& World)
{
	std::erase_if(World.Controllers, [](const auto& It) { return !It.IsValid(); });
}

void FSession::LeaveFirst(FPeer& Peer)
{
	EndPlayer(Peer.ServerController);
	ForgetGone(*Server->World);
	APlayerController* const Here = Peer.Controller;
	Peer.ServerController = Peer.SecondAtServer;
	Peer.Controller = Peer.Second;
	Peer.SecondAtServer = Peer.Second = nullptr;
	Send(Peer, false, ECarried::Repeated, [&Peer, Here]()
	{
		EndPlayer(Here);
		ForgetGone(*Peer.Machine.World);
	});
}

void FSession::Disconnect(FPeer& Peer)
{
	Peer.bConnected = false;
	if (Peer.ServerController)
	{
		if (Rules) { Rules->Logout(Peer.ServerController); }
		EndPlayer(Peer.ServerController);
	}
	if (Peer.SecondAtServer) { EndPlayer(Peer.SecondAtServer); }
	if (Peer.ServerConnection) { Peer.ServerConnection->bGone = true; }
	if (Peer.Machine.Driver)
	{
		Peer.Machine.Driver->ServerConnection->bGone = true;
		Peer.Machine.Driver->bGone = true;
	}
	Peer.ServerController = nullptr;
	Peer.ServerConnection = nullptr;
	Peer.Controller = Peer.SecondAtServer = Peer.Second = nullptr;
	ForgetGone(*Server->World);
}

double FSession::ServerTicksAt(double True) const
{
	const UNetClockSession* Session = Server->Get<UNetClockSession>();
	return Server->Clock.At(True) * 1e7 + static_cast<double>(Session->ServerTicks(0));
}

void FSession::Run(double Seconds)
{
	const double End = TrueNow + Seconds;
	double Latest = End;
	for (;;)
	{
		FMachine* Next = Server.get();
		bool bBlocked = false;
		for (const auto& Peer : Peers)
		{
			if ((Peer->bConnected || Peer->bAlone) && Peer->Machine.NextFrame < Next->NextFrame)
			{
				Next = &Peer->Machine;
				bBlocked = Peer->bUdpBlocked;
			}
		}
		if (Next->NextFrame >= End) { break; }
		TrueNow = FMath::Max(TrueNow, Next->NextFrame);
		Next->Frame();
		FLinkNetwork::Get().Carry(Next->Address, bBlocked);
		// The last frames may end after `End`.
		Latest = FMath::Max(Latest, FDouble::State.Now);
		CloseOverflown();
	}
	TrueNow = End;
	Server->Enter(Latest);
	for (const auto& Peer : Peers)
	{
		if (!Peer->bConnected && !Peer->bAlone && Peer->Owned)
		{
			Peer->Machine.NextFrame = FMath::Max(Peer->Machine.NextFrame, End);
		}
	}
}
