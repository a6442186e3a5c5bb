// Transfers calls, properties and the creation of objects between machines.
#include "Session.h"

#include <cstring>

#include "Components/InputComponent.h"

void FSession::CountCall(FPeer& Peer, const UObject* Object, const FDoubleRpc& Rpc, bool bUp) const
{
	++(bUp ? Peer.CallsUp : Peer.CallsDown);
	(bUp ? Peer.BytesUp : Peer.BytesDown) += Rpc.Bytes;
	const bool bLate = Peer.Judged.ConfirmedAt >= 0 && FDouble::State.Now > Peer.Judged.ConfirmedAt + 2;
	const bool bClock = Object->IsA(UNetClockComponent::StaticClass());
	Peer.LateReliable += bLate && Rpc.bReliable && bClock ? 1 : 0;
	if (bClock) { (bUp ? Peer.CalledUp : Peer.CalledDown).insert(NetClock::LocalTicks()); }
	if (bClock && !Rpc.bReliable)
	{
		const double Frame = bUp ? Peer.Machine.TickStart : Server->TickStart;
		double& Last = bUp ? Peer.UnreliableUp : Peer.UnreliableDown;
		Peer.Crowded += std::exchange(Last, Frame) == Frame ? 1 : 0;
	}
}

bool FSession::IsDropped(FPeer& Peer, UNetConnection& Connection, const FDoubleRpc& Rpc)
{
	const bool bDropped = !Rpc.bReliable && !Connection.bReady;
	Peer.Dropped += bDropped ? 1 : 0;
	return bDropped;
}

void FSession::Send(
	FPeer& Peer, bool bUp, ECarried Carried, std::function<void()> Action, std::function<void()> OnLost)
{
	const FDirection& Way = bUp ? Peer.Link.Up : Peer.Link.Down;
	FMachine& To = bUp ? *Server : Peer.Machine;
	int32& Unconfirmed = bUp ? Peer.UnconfirmedUp : Peer.UnconfirmedDown;
	const bool bReliable = Carried != ECarried::Once;
	const double Now = FDouble::State.Now;
	double Arrival = Now + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000;
	double Arrived = Arrival;
	const UNetDriver* Driver = Peer.Machine.Driver;
	auto Read = [&Peer, &To, Driver, Action, bUp](double Since)
	{
		if (!Peer.bConnected || Peer.Machine.Driver != Driver) { return; }
		(bUp ? Peer.WaitedUp : Peer.WaitedDown)[NetClock::LocalTicks()] = {
			FDouble::State.Now - Since, FDouble::State.Now - To.PreviousTickStart};
		Action();
	};
	// The sender detects a loss when a later packet is acknowledged.
	const double Again = (Peer.Link.Up.LagMs + Peer.Link.Down.LagMs + 40) / 1000;
	if (bReliable)
	{
		// Resends a message until it arrives, and delivers messages in order.
		while (Dice.Fraction() < Way.Loss) { Arrival += Again; }
		Arrived = Arrival;
		double& Last = bUp ? Peer.ReliableUp : Peer.ReliableDown;
		Last = Arrival = FMath::Max(Arrival, Last);
	}
	else if (Dice.Fraction() < Way.Loss)
	{
		FMachine& From = bUp ? Peer.Machine : *Server;
		if (OnLost) { From.Deliver(Now + Again, OnLost); }
		return;
	}
	if (Carried == ECarried::Reliably)
	{
		++Unconfirmed;
		// The other end acknowledges packets when it reads them, so there are no acknowledgements while its
		// frames stall.
		const double BackSeconds = (bUp ? Peer.Link.Down : Peer.Link.Up).LagMs / 1000;
		To.Deliver(Arrival, [this, &Peer, Driver, bUp, &Unconfirmed, BackSeconds]()
		{
			if (!Peer.bConnected || Peer.Machine.Driver != Driver) { return; }
			FMachine& From = bUp ? Peer.Machine : *Server;
			From.Deliver(FDouble::State.Now + BackSeconds,
				[&Unconfirmed, &Peer, Driver]() { Unconfirmed -= Peer.Machine.Driver == Driver ? 1 : 0; });
		});
	}
	To.Deliver(Arrival, [Read, Arrived]() { Read(Arrived); });
	if (!bReliable && Dice.Fraction() < Way.Duplicates)
	{
		const double Copy = Now + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000;
		To.Deliver(Copy, [Read, Copy]() { Read(Copy); });
	}
}

// Called after the frame, because connections must not be closed while they are in use.
void FSession::CloseOverflown()
{
	for (const auto& Peer : Peers)
	{
		if (Peer->bConnected && FMath::Max(Peer->UnconfirmedUp, Peer->UnconfirmedDown) >= ReliableBuffer)
		{
			++Peer->Overflows;
			Disconnect(*Peer);
		}
	}
}

void FSession::ArriveAtServer(FPeer& Peer, UObject* Target, const FDoubleRpc& Rpc)
{
	if (!IsValid(Target)) { return; }
	const AActor* Actor = FDouble::ActorOf(Target);
	if (!Actor || Actor->GetNetConnection() != Peer.ServerConnection)
	{
		UE_LOG(
			"LogNet", Warning, TEXT("%s from a player who does not own its target"), UTF8_TO_TCHAR(Rpc.Name));
		return;
	}
	Rpc.Run(Target);
}

void FSession::Forge(FPeer& Peer, UObject* ServerObject, FDoubleRpc Rpc)
{
	FDouble::State.Now = TrueNow;
	Send(Peer, true, CarriedAs(Rpc),
		[this, &Peer, ServerObject, Rpc]() { ArriveAtServer(Peer, ServerObject, Rpc); });
}

void FSession::FlushServer()
{
	for (const auto& Held : Peers)
	{
		FPeer& Peer = *Held;
		if (!Peer.bConnected || !Peer.ServerController) { continue; }
		AGameStateBase* State = Server->World->GetGameState();
		Replicate(Peer, State);
		ReplicatePlayer(Peer, Peer.ServerController);
		if (Peer.SecondAtServer) { ReplicatePlayer(Peer, Peer.SecondAtServer); }
		const std::pair<bool, float> Rate{Server->World->bPaused, Server->World->Settings->TimeDilation};
		if (Rate != Peer.ToldRate)
		{
			Peer.ToldRate = Rate;
			Send(Peer, false, ECarried::Repeated, [&Peer, Rate]()
			{
				Peer.Machine.World->bPaused = Rate.first;
				Peer.Machine.World->Settings->TimeDilation = Rate.second;
			});
		}
		if (FDouble::State.Now >= Peer.NextPush)
		{
			Peer.NextPush = FDouble::State.Now + 0.1;
			const double Pushed = Server->World->TimeSeconds;
			Send(Peer, false, ECarried::Once,
				[&Peer, State, Pushed]()
				{
					if (UObject* Here = Peer.Counterpart(State))
					{
						Cast<AGameStateBase>(Here)->OnPushed(Pushed);
					}
				});
		}
	}
	if (Recording) { RecordFrame(); }
	if (!Queued.empty() && Dice.Fraction() < 0.7)
	{
		for (const auto& Leave : Queued) { Leave(); }
		Queued.clear();
	}
}

void FSession::Record()
{
	Recording = std::make_unique<FRecording>();
	Recording->Connection = NewObject<UNetConnection>(Server->Driver);
	Recording->Spectator = Server->World->SpawnDouble<APlayerController>();
	Recording->Spectator->Player = Recording->Connection;
}

void FSession::RecordFrame()
{
	const AGameStateBase* State = Server->World->GetGameState();
	std::vector<FRecording::FFrame>& Frames = Recording->Frames;
	FRecording::FFrame Frame{Server->World->GetTimeSeconds(),
		Server->Get<UNetClockSubsystem>()->GetServerTimeTicks(),
		Frames.empty() ? TArray<uint8>() : Frames.back().Blob};
	if (Recording->Channel.TakeUpdate(*State, FDouble::State.Now, Dice))
	{
		++Recording->Channel.SentPackets;
		Frame.Blob = *NetClock::BlobOf(*State);
	}
	Frames.push_back(std::move(Frame));
}

void FSession::ReplicatePlayer(FPeer& Peer, APlayerController* Player)
{
	Replicate(Peer, Player);
	for (UActorComponent* Component : Player->Components)
	{
		if (Component->bReplicated && IsValid(Component)) { Replicate(Peer, Component); }
	}
}

struct FUpdate
{
	struct FPart
	{
		const FDoubleProperty* Property;
		size_t Count;
		std::map<size_t, std::string> Changed;
	};
	std::vector<FPart> Parts;
};

bool FChannel::TakeUpdate(const AActor& Actor, double Now, FDice& Dice)
{
	bool bLost = false;
	for (const auto& Property : Properties) { bLost = bLost || !Property.second.Lost.empty(); }
	const bool bAsleep = Actor.bDormant && SentPackets > 0 && Flushed == Actor.Flushes && !bLost;
	if (bAsleep || (Now < NextUpdate && Forced == Actor.Forced)) { return false; }
	Flushed = Actor.Flushes;
	Forced = Actor.Forced;
	NextUpdate = Now + 2 * Dice.Fraction() / Actor.UpdatesPerSecond;
	return true;
}

void FSession::Replicate(FPeer& Peer, UObject* Object)
{
	if (!Peer.Channels.count(Object)) { OpenChannel(Peer, Object); }
	FChannel& Channel = Peer.Channels[Object];
	if (!Channel.TakeUpdate(*FDouble::ActorOf(Object), FDouble::State.Now, Dice)) { return; }
	TArray<FLifetimeProperty> Lifetime;
	Object->GetLifetimeReplicatedProps(Lifetime);
	FUpdate Update;
	for (const UClass* Class = Object->GetClass(); Class; Class = Class->Super)
	{
		for (const FDoubleProperty& Property : Class->Properties)
		{
			const FLifetimeProperty* Listed = Lifetime.FindByPredicate([&](const FLifetimeProperty& It)
				{ return It.Class == Class && std::strcmp(It.Name, Property.Name) == 0; });
			// As in the engine, the class must list all of its replicated properties and no others.
			check((Listed != nullptr) == Property.bReplicated);
			if (!Listed) { continue; }
			FReplicated& Known = Channel.Properties[Property.Name];
			const FDoubleMembers Now = Property.Take(Object);
			FUpdate::FPart Part{&Property, Now.size(), {}};
			for (size_t Index = 0; Index < Now.size(); ++Index)
			{
				const bool bSame = Index < Known.Sent.size() && Known.Sent[Index] == Now[Index];
				if (!bSame || Known.Lost.count(Index)) { Part.Changed[Index] = Now[Index]; }
			}
			Known.Lost.clear();
			Known.Sent = Now;
			if (Part.Changed.empty()) { continue; }
			for (size_t Index = 0; bIris && Index < Now.size(); ++Index) { Part.Changed[Index] = Now[Index]; }
			Update.Parts.push_back(std::move(Part));
		}
	}
	if (!Update.Parts.empty()) { SendUpdate(Peer, Object, std::move(Update)); }
}

void FSession::SendUpdate(FPeer& Peer, UObject* Object, FUpdate Update)
{
	const uint64 Number = ++Peer.Channels[Object].SentPackets;
	const auto Lost = [&Peer, Object, Update]()
	{
		const auto Found = Peer.Channels.find(Object);
		if (Found == Peer.Channels.end()) { return; }
		for (const FUpdate::FPart& Part : Update.Parts)
		{
			FReplicated& Known = Found->second.Properties[Part.Property->Name];
			for (const auto& Member : Part.Changed) { Known.Lost.insert(Member.first); }
		}
	};
	Send(Peer, false, ECarried::Once, [this, &Peer, Object, Update, Number, Lost]()
	{
		FChannel& Channel = Peer.Channels[Object];
		UObject* const Here = Peer.Counterpart(Object);
		if (!Here || Number <= Channel.ReadPackets)
		{
			// Drops packets that arrive out of order or before their object.
			Server->Deliver(FDouble::State.Now + Peer.Link.Up.LagMs / 1000, Lost);
			return;
		}
		Channel.ReadPackets = Number;
		std::vector<void (*)(UObject*)> Notify;
		for (const FUpdate::FPart& Part : Update.Parts)
		{
			const FDoubleMembers Before = Part.Property->Take(Here);
			FDoubleMembers Members = Before;
			Members.resize(Part.Count);
			for (const auto& Member : Part.Changed) { Members[Member.first] = Member.second; }
			Part.Property->Put(Here, Members);
			if (Part.Property->Notify && Members != Before) { Notify.push_back(Part.Property->Notify); }
		}
		for (const auto& Call : Notify) { Call(Here); }
	}, Lost);
}

void FSession::OpenChannel(FPeer& Peer, UObject* Object)
{
	Send(Peer, false, ECarried::Repeated, [&Peer, Object]()
	{
		UObject* Made = nullptr;
		UWorld* World = Peer.Machine.World;
		if (UActorComponent* Component = Cast<UActorComponent>(Object))
		{
			const bool bSecond = Peer.SecondAtServer && Component->GetOwner() == Peer.SecondAtServer;
			APlayerController* const Owner = bSecond ? Peer.Second : Peer.Controller;
			// The owner's class may already have created the component.
			for (UActorComponent* Own : Owner->Components)
			{
				Made = Own->GetClass() == Object->GetClass() ? Own : Made;
			}
			if (!Made)
			{
				Made = FDouble::Make(Component->GetClass(), Owner);
				static_cast<UActorComponent*>(Made)->RegisterComponent();
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
				(Object == Peer.SecondAtServer ? Peer.Second : Peer.Controller) = Controller;
			}
		}
		Peer.Channels[Object].Here = Made;
		// From now on, calls can reach the object.
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
