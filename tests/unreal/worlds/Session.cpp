#include "Session.h"

#include <algorithm>

#include "Components/InputComponent.h"
#include "GameFramework/GameStateBase.h"
#include "Clock/NetClockSession.h"
#include "link/Network.h"

double FSeen::Quantile(double Share) const
{
	if (ErrorsMs.empty()) { return 0; }
	std::vector<double> Sorted;
	for (const double Error : ErrorsMs) { Sorted.push_back(FMath::Abs(Error)); }
	const size_t At = FMath::Min(Sorted.size() - 1, static_cast<size_t>(Share * static_cast<double>(Sorted.size())));
	std::nth_element(Sorted.begin(), Sorted.begin() + static_cast<std::ptrdiff_t>(At), Sorted.end());
	return Sorted[At];
}

FPeer::FPeer(FSession& InSession, int32 InNumber, FMachineSettings Settings, FLink InLink)
	: Owned(std::make_unique<FMachine>(Settings, NM_Standalone, FDice{InSession.Dice.Next()})), Machine(*Owned), Link(InLink), Number(InNumber)
{
}

FSession::FSession(FMachineSettings ServerSettings, ENetMode Mode, uint64 Seed) : Dice{Seed}
{
	FDouble::State.Now = 0;
	FDouble::State.Dice = FDice{Dice.Next()};
	FLinkNetwork::Get().Begin(this, Seed);
	Server = std::make_unique<FMachine>(ServerSettings, Mode, FDice{Dice.Next()});
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
		FPeer& Peer = *Peers[static_cast<size_t>(Connection->Peer)];
		++Peer.CallsDown;
		Peer.BytesDown += Rpc.Bytes;
		if (std::string(Rpc.Name) == "UNetClockComponent::ClientSegment")
		{
			++Peer.SegmentsDown;
			Peer.SegmentBytesDown += Rpc.Bytes;
		}
		auto Leave = [this, &Peer, Object, Rpc]()
		{
			Send(Peer, false, Rpc.bReliable, [&Peer, Object, Rpc]()
			{
				for (const auto& Channel : Peer.Channels)
				{
					if (Channel.first == Object && IsValid(Channel.second)) { Rpc.Run(Channel.second); }
				}
			});
		};
		if (bQueueCalls) { Queued.push_back(Leave); } else { Leave(); }
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
	Machine.Driver->ServerConnection->RemoteAddress = FString(UTF8_TO_TCHAR(bRelayed ? "76561198000000001" : Server->Address.c_str()));
	Machine.OpenWorld(NM_Client);
	Machine.World->BeginPlay();
	Peer.bConnected = true;
	Peer.bAlone = false;
	Peer.bBehind = Peer.bTravelled = false;
	Peer.Judged = FJudged();
	HearEvents(Peer);
	Peer.JoinedAt = TrueNow;
	Peer.ReliableUp = Peer.ReliableDown = TrueNow;
	Peer.ToldRate = {false, 1.0f};
	Peer.Channels.clear();
	Peer.SentProperties.clear();
	Peer.AppliedProperties.clear();
	Machine.Driver->Send = [this, &Peer](UNetConnection*, UObject* Object, FDoubleRpc Rpc)
	{
		++Peer.CallsUp;
		Peer.BytesUp += Rpc.Bytes;
		UObject* Target = nullptr;
		for (const auto& Channel : Peer.Channels) { Target = Channel.second == Object ? Channel.first : Target; }
		if (Target) { Send(Peer, true, Rpc.bReliable, [this, &Peer, Target, Rpc]() { ArriveAtServer(Peer, Target, Rpc); }); }
	};
	Machine.OnDispatched = [this, &Peer]() { Peer.Judged.ShownInFrame.clear(); Read(Peer); };
	Machine.OnActors = [this, &Peer]() { Read(Peer); };
	Machine.OnEnd = [this, &Peer]() { Read(Peer); Judge(Peer); };
	// The join: the server makes the controller, and replication opens it here.
	Send(Peer, true, true, [this, &Peer]()
	{
		Peer.ServerController = static_cast<APlayerController*>(Server->World->SpawnAny(ControllerClass));
		Peer.ServerConnection = NewObject<UNetConnection>(Server->Driver);
		Peer.ServerConnection->Peer = Peer.Number;
		Peer.ServerController->Player = Peer.ServerConnection;
		Peer.ServerController->ReceivedPlayer();
		if (Rules) { Rules->PostLogin(Peer.ServerController); }
	});
}

void FSession::Disconnect(FPeer& Peer)
{
	Peer.bConnected = false;
	if (Peer.ServerController)
	{
		if (Rules) { Rules->Logout(Peer.ServerController); }
		for (UActorComponent* Component : Peer.ServerController->Components) { Component->End(EEndPlayReason::Destroyed); }
		Peer.ServerController->bGone = true;
	}
	if (Peer.ServerConnection) { Peer.ServerConnection->bGone = true; }
	if (Peer.Machine.Driver)
	{
		Peer.Machine.Driver->ServerConnection->bGone = true;
		Peer.Machine.Driver->bGone = true;
	}
	Peer.ServerController = nullptr;
	Peer.ServerConnection = nullptr;
	Peer.Controller = nullptr;
	auto& Listed = Server->World->Controllers;
	Listed.erase(std::remove_if(Listed.begin(), Listed.end(), [](const auto& It) { return !It.IsValid(); }), Listed.end());
}

void FSession::RestartServer(FMachineSettings Settings)
{
	for (const auto& Peer : Peers) { Disconnect(*Peer); }
	Server->World->TearDown(EEndPlayReason::Quit);
	FLinkNetwork::Get().EndProcess(Server->Address);
	FDouble::State.Now = TrueNow;
	Server = std::make_unique<FMachine>(Settings, NM_DedicatedServer, FDice{Dice.Next()});
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

double FSession::ServerTicksAt(double True) const
{
	const UNetClockSession* Session = Server->Game->GetSubsystem<UNetClockSession>();
	return Server->Clock.At(True) * 1e7 + static_cast<double>(Session->ServerTicks(0));
}

void FSession::HardTravel()
{
	for (const auto& Peer : Peers) { Disconnect(*Peer); }
	UWorld* Old = Server->World;
	Server->Enter(TrueNow);
	Old->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Old->NetMode);
	StartServer(Old->NetMode);
	Server->World->BeginPlay();
}

void FSession::Run(double Seconds)
{
	const double End = TrueNow + Seconds;
	for (;;)
	{
		FMachine* Next = Server.get();
		for (const auto& Peer : Peers)
		{
			if ((Peer->bConnected || Peer->bAlone) && Peer->Machine.NextFrame < Next->NextFrame) { Next = &Peer->Machine; }
		}
		if (Next->NextFrame >= End) { break; }
		TrueNow = FMath::Max(TrueNow, Next->NextFrame);
		FLinkNetwork::Get().RunUntil(TrueNow);
		Next->Frame();
	}
	TrueNow = End;
	for (const auto& Peer : Peers)
	{
		if (!Peer->bConnected && !Peer->bAlone && Peer->Owned) { Peer->Machine.NextFrame = FMath::Max(Peer->Machine.NextFrame, End); }
	}
}

void FSession::Send(FPeer& Peer, bool bUp, bool bReliable, std::function<void()> Action)
{
	const FDirection& Way = bUp ? Peer.Link.Up : Peer.Link.Down;
	FMachine& To = bUp ? *Server : Peer.Machine;
	const double Now = FDouble::State.Now;
	double Arrival = Now + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000;
	if (bReliable)
	{
		// Sent again until it arrives, and handed over in order.
		const double Again = (Peer.Link.Up.LagMs + Peer.Link.Down.LagMs + 40) / 1000;
		while (Dice.Fraction() < Way.Loss) { Arrival += Again; }
		double& Last = bUp ? Peer.ReliableUp : Peer.ReliableDown;
		Last = Arrival = FMath::Max(Arrival, Last);
	}
	else if (Dice.Fraction() < Way.Loss)
	{
		return;
	}
	const UNetDriver* Driver = Peer.Machine.Driver;
	auto Guarded = [&Peer, Driver, Action]() { if (Peer.bConnected && Peer.Machine.Driver == Driver) { Action(); } };
	To.Deliver(Arrival, Guarded);
	if (!bReliable && Dice.Fraction() < Way.Duplicates)
	{
		To.Deliver(Now + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000, Guarded);
	}
}

void FSession::ArriveAtServer(FPeer& Peer, UObject* Target, const FDoubleRpc& Rpc)
{
	if (!IsValid(Target)) { return; }
	const UActorComponent* Component = Cast<UActorComponent>(Target);
	const AActor* Actor = Component ? Component->GetOwner() : Cast<AActor>(Target);
	if (!Actor || Actor->GetNetConnection() != Peer.ServerConnection)
	{
		++OwnershipWarnings;
		UE_LOG("LogNet", Warning, TEXT("%s from a player who does not own its target"), UTF8_TO_TCHAR(Rpc.Name));
		return;
	}
	if (!Rpc.Run(Target))
	{
		++Peer.Kicks;
		Disconnect(Peer);
	}
}

void FSession::Forge(FPeer& Peer, UObject* ServerObject, FDoubleRpc Rpc)
{
	FDouble::State.Now = TrueNow;
	Send(Peer, true, Rpc.bReliable, [this, &Peer, ServerObject, Rpc]() { ArriveAtServer(Peer, ServerObject, Rpc); });
}

void FSession::FlushServer()
{
	for (const auto& Held : Peers)
	{
		FPeer& Peer = *Held;
		if (!Peer.bConnected || !Peer.ServerController) { continue; }
		AGameStateBase* State = Server->World->GetGameState();
		Replicate(Peer, State);
		Replicate(Peer, Peer.ServerController);
		for (UActorComponent* Component : Peer.ServerController->Components)
		{
			if (Component->bReplicated && IsValid(Component)) { Replicate(Peer, Component); }
		}
		const std::pair<bool, float> Rate{Server->World->bPaused, Server->World->Settings->TimeDilation};
		if (Rate != Peer.ToldRate)
		{
			Peer.ToldRate = Rate;
			Send(Peer, false, true, [&Peer, Rate]()
			{
				Peer.Machine.World->bPaused = Rate.first;
				Peer.Machine.World->Settings->TimeDilation = Rate.second;
			});
		}
		if (FDouble::State.Now >= Peer.NextPush)
		{
			Peer.NextPush = FDouble::State.Now + 0.1;
			const FDoubleSeconds Pushed = Server->World->TimeSeconds;
			Send(Peer, false, false, [&Peer, State, Pushed]()
			{
				for (const auto& Channel : Peer.Channels)
				{
					if (Channel.first == State && IsValid(Channel.second)) { Cast<AGameStateBase>(Channel.second)->OnPushed(Pushed); }
				}
			});
		}
	}
	if (!Queued.empty() && Dice.Fraction() < 0.7)
	{
		for (const auto& Leave : Queued) { Leave(); }
		Queued.clear();
	}
}

void FSession::Replicate(FPeer& Peer, UObject* Object)
{
	bool bOpen = false;
	for (const auto& Channel : Peer.Channels) { bOpen = bOpen || Channel.first == Object; }
	if (!bOpen)
	{
		OpenChannel(Peer, Object);
	}
	TArray<FLifetimeProperty> Lifetime;
	Object->GetLifetimeReplicatedProps(Lifetime);
	for (const UClass* Class = Object->GetClass(); Class && Class->Properties; Class = Class->Super)
	{
		for (const FDoubleProperty& Property : Class->Properties())
		{
			const bool bListed = Lifetime.FindByPredicate([&](const FLifetimeProperty& It) { return It.Class == Class && std::string(It.Name) == Property.Name; }) != nullptr;
			// The engine refuses one without the other as well.
			check(bListed == Property.bReplicated);
			if (bListed) { SendProperty(Peer, Object, Property); }
		}
	}
}

void FSession::SendProperty(FPeer& Peer, UObject* Object, const FDoubleProperty& Property)
{
	const auto Key = std::make_pair(Object, std::string(Property.Name));
	const auto Found = Peer.SentProperties.find(Key);
	if (Found != Peer.SentProperties.end() && Property.Same(Object, Found->second.Value)) { return; }
	const uint64 Number = Found == Peer.SentProperties.end() ? 1 : Found->second.Number + 1;
	const std::any Value = Property.Take(Object);
	Peer.SentProperties[Key] = {Value, Number};
	// It arrives in the end, but only if nothing newer has.
	Send(Peer, false, true, [&Peer, Object, Property, Key, Value, Number]()
	{
		if (Peer.AppliedProperties[Key] >= Number) { return; }
		Peer.AppliedProperties[Key] = Number;
		for (const auto& Channel : Peer.Channels)
		{
			if (Channel.first != Object || !IsValid(Channel.second)) { continue; }
			const bool bChanged = !Property.Same(Channel.second, Value);
			Property.Put(Channel.second, Value);
			if (bChanged && Property.Notify) { Property.Notify(Channel.second); }
		}
	});
}

void FSession::OpenChannel(FPeer& Peer, UObject* Object)
{
	Peer.Channels.emplace_back(Object, nullptr);
	Send(Peer, false, true, [&Peer, Object]()
	{
		UObject* Made = nullptr;
		UWorld* World = Peer.Machine.World;
		if (UActorComponent* Component = Cast<UActorComponent>(Object))
		{
			// A component of the class's own is there already; another one is made.
			for (UActorComponent* Own : Peer.Controller->Components) { Made = Own->GetClass() == Object->GetClass() ? Own : Made; }
			if (!Made)
			{
				UActorComponent* New = static_cast<UActorComponent*>(FDouble::Make(Component->GetClass(), Peer.Controller));
				New->RegisterComponent();
				Made = New;
			}
		}
		else
		{
			AActor* Actor = World->SpawnAny(Object->GetClass());
			Made = Actor;
			if (APlayerController* Controller = Cast<APlayerController>(Actor))
			{
				Controller->Role = ROLE_AutonomousProxy;
				Controller->Player = NewObject<ULocalPlayer>(Peer.Machine.Game);
				Peer.Controller = Controller;
			}
		}
		for (auto& Channel : Peer.Channels)
		{
			if (Channel.first == Object) { Channel.second = Made; }
		}
		// Now calls find their way.
		if (AActor* Actor = Cast<AActor>(Made))
		{
			if (APlayerController* Controller = Cast<APlayerController>(Actor))
			{
				Controller->ReceivedPlayer();
				Controller->InputComponent = NewObject<UInputComponent>(Controller);
				Controller->SetupInputComponent();
			}
			Actor->BeginPlay();
		}
	});
}

void FSession::SeamlessTravel()
{
	// The server first; each client when it is told. Controllers go along, and their components are not begun again.
	UWorld* Old = Server->World;
	std::vector<AActor*> Travelling;
	for (const auto& Peer : Peers) { if (Peer->ServerController) { Travelling.push_back(Peer->ServerController); } }
	auto Take = [](UWorld* From, const std::vector<AActor*>& Actors)
	{
		for (AActor* Actor : Actors) { From->Actors.erase(std::remove(From->Actors.begin(), From->Actors.end(), Actor), From->Actors.end()); }
	};
	auto Bring = [](UWorld* To, AActor* Actor)
	{
		Actor->OuterPrivate = To;
		To->Actors.push_back(Actor);
		To->Controllers.emplace_back(static_cast<APlayerController*>(Actor));
	};
	Server->Enter(TrueNow);
	Take(Old, Travelling);
	Old->TearDown(EEndPlayReason::LevelTransition);
	Server->OpenWorld(Old->NetMode);
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
		Send(Peer, false, true, [&Peer, Arrive]()
		{
			if (Peer.LoadSeconds > 0) { Peer.Machine.Deliver(FDouble::State.Now + Peer.LoadSeconds, Arrive); } else { Arrive(); }
		});
	}
}

void FSession::HearEvents(FPeer& Peer)
{
	Peer.Clock()->OnSynced.AddLambda([&Peer]() { ++Peer.Judged.Synced; });
	Peer.Clock()->OnDiscontinuity.AddLambda([&Peer](ENetClockCause Cause, double) { Peer.Judged.Causes.push_back(Cause); });
}

void FSession::Read(FPeer& Peer)
{
	const AGameStateBase* State = Peer.Machine.World->GetGameState();
	if (State && Peer.Clock()->IsWorldTimeKnown())
	{
		Peer.Judged.ShownInFrame.push_back(static_cast<double>(State->GetServerWorldTimeSeconds()));
	}
}

void FSession::Judge(FPeer& Peer)
{
	FJudged& Judged = Peer.Judged;
	const UNetClockSubsystem* Clock = Peer.Clock();
	const double At = Peer.Machine.TickStart;
	// In the frame in which it travels, the new world has had no start yet.
	Judged.UnsyncedAfterTravel += Peer.bTravelled && !Clock->IsSynced() ? 1 : 0;
	if (Clock->IsSynced())
	{
		if (Judged.SyncedAfter < 0) { Judged.SyncedAfter = At - Peer.JoinedAt; }
		// What is kept is the time of the server before.
		const bool bKept = Clock->GetStatus().ServerEpoch != Server->Game->GetSubsystem<UNetClockSession>()->GetServerEpoch();
		const double TrueTicks = ServerTicksAt(At);
		const double OffMs = FMath::Abs(static_cast<double>(Clock->GetServerTimeTicks()) - TrueTicks) * 1e-4;
		// Two ticks for rounding down the clocks of both sides.
		Judged.OutsideRealBound += !bKept && OffMs > Clock->GetErrorBoundMs() + 2e-4 ? 1 : 0;
	}
	const AGameStateBase* State = Peer.Machine.World->GetGameState();
	if (!State || Peer.bBehind) { return; }
	const double Shown = static_cast<double>(State->GetServerWorldTimeSeconds());
	Judged.Backwards += Shown < Judged.LastShown ? 1 : 0;
	Judged.LastShown = Shown;
	if (!Clock->IsWorldTimeKnown())
	{
		++Judged.Fallback;
		return;
	}
	++Judged.Frames;
	for (const double Other : Judged.ShownInFrame) { Judged.Unequal += Other != Shown ? 1 : 0; }
	const double Truth = Server->WorldTimeAt(At);
	const double ErrorMs = (Shown - Truth) * 1000;
	const double BoundMs = Clock->GetWorldTimeErrorBoundMs();
	Judged.OutsideBound += FMath::Abs(ErrorMs) > BoundMs ? 1 : 0;
	const double IfUnchangedMs = Clock->GetWorldTimeErrorBoundIfUnchangedMs();
	Judged.OutsideIfUnchanged += FMath::Abs(ErrorMs) > IfUnchangedMs ? 1 : 0;
	Judged.WorstMs = FMath::Max(Judged.WorstMs, FMath::Abs(ErrorMs));
	if (Peer.OnJudged) { Peer.OnJudged(At, ErrorMs); }
	if (At - Peer.JoinedAt >= Peer.SettleSeconds)
	{
		Judged.LargestBoundMs = FMath::Max(Judged.LargestBoundMs, IfUnchangedMs);
		Judged.NetClock.ErrorsMs.push_back(ErrorMs);
		Judged.Engine.ErrorsMs.push_back((static_cast<double>(State->AGameStateBase::GetServerWorldTimeSeconds()) - Truth) * 1000);
		const AOneShotController* OneShot = Cast<AOneShotController>(Peer.Controller);
		if (OneShot && OneShot->bAnswered) { Judged.OneShot.ErrorsMs.push_back((OneShot->GetServerTime() - Truth) * 1000); }
	}
}
