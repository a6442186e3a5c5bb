// What goes from machine to machine: calls, properties, objects that open at the other end.
#include "Session.h"

#include <cstring>

#include "Components/InputComponent.h"
#include "GameFramework/GameStateBase.h"

void FSession::CountCall(FPeer& Peer, const UObject* Object, const FDoubleRpc& Rpc, bool bUp)
{
	++(bUp ? Peer.CallsUp : Peer.CallsDown);
	(bUp ? Peer.BytesUp : Peer.BytesDown) += Rpc.Bytes;
	const bool bLate = Peer.Judged.ConfirmedAt >= 0 && FDouble::State.Now > Peer.Judged.ConfirmedAt + 2;
	Peer.LateReliable += bLate && Rpc.bReliable && Object->IsA(UNetClockComponent::StaticClass()) ? 1 : 0;
}

void FSession::Send(
	FPeer& Peer, bool bUp, ECarried Carried, std::function<void()> Action, double HeldSeconds)
{
	const FDirection& Way = bUp ? Peer.Link.Up : Peer.Link.Down;
	FMachine& To = bUp ? *Server : Peer.Machine;
	int32& Unconfirmed = bUp ? Peer.UnconfirmedUp : Peer.UnconfirmedDown;
	const bool bReliable = Carried != ECarried::Once;
	const double Now = FDouble::State.Now;
	double Arrival = Now + HeldSeconds + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000;
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
	auto Guarded = [&Peer, Driver, Action]()
	{
		if (Peer.bConnected && Peer.Machine.Driver == Driver) { Action(); }
	};
	if (Carried == ECarried::Reliably)
	{
		++Unconfirmed;
		// The other end confirms what it has read, so nothing while its frames stand still.
		const double BackSeconds = (bUp ? Peer.Link.Down : Peer.Link.Up).LagMs / 1000;
		To.Deliver(Arrival, [this, &Peer, Driver, bUp, &Unconfirmed, BackSeconds]()
		{
			if (!Peer.bConnected || Peer.Machine.Driver != Driver) { return; }
			FMachine& From = bUp ? Peer.Machine : *Server;
			From.Deliver(FDouble::State.Now + BackSeconds,
				[&Unconfirmed, &Peer, Driver]() { Unconfirmed -= Peer.Machine.Driver == Driver ? 1 : 0; });
		});
	}
	To.Deliver(Arrival, Guarded);
	if (!bReliable && Dice.Fraction() < Way.Duplicates)
	{
		To.Deliver(Now + (Way.LagMs + Dice.Exponential(Way.JitterMs)) / 1000, Guarded);
	}
}

// After the frame: what sends must not end with its connection under its feet.
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
	const UActorComponent* Component = Cast<UActorComponent>(Target);
	const AActor* Actor = Component ? Component->GetOwner() : Cast<AActor>(Target);
	if (!Actor || Actor->GetNetConnection() != Peer.ServerConnection)
	{
		++OwnershipWarnings;
		UE_LOG(
			"LogNet", Warning, TEXT("%s from a player who does not own its target"), UTF8_TO_TCHAR(Rpc.Name));
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
			const FDoubleSeconds Pushed = Server->World->TimeSeconds;
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
	if (!Queued.empty() && Dice.Fraction() < 0.7)
	{
		for (const auto& Leave : Queued) { Leave(); }
		Queued.clear();
	}
}

void FSession::ReplicatePlayer(FPeer& Peer, APlayerController* Player)
{
	Replicate(Peer, Player);
	for (UActorComponent* Component : Player->Components)
	{
		if (Component->bReplicated && IsValid(Component)) { Replicate(Peer, Component); }
	}
}

void FSession::Replicate(FPeer& Peer, UObject* Object)
{
	if (!Peer.Channels.count(Object)) { OpenChannel(Peer, Object); }
	TArray<FLifetimeProperty> Lifetime;
	Object->GetLifetimeReplicatedProps(Lifetime);
	for (const UClass* Class = Object->GetClass(); Class; Class = Class->Super)
	{
		for (const FDoubleProperty& Property : Class->Properties)
		{
			const FLifetimeProperty* Listed = Lifetime.FindByPredicate([&](const FLifetimeProperty& It)
				{ return It.Class == Class && std::strcmp(It.Name, Property.Name) == 0; });
			const bool bListed = Listed != nullptr;
			// The engine refuses one without the other as well.
			check(bListed == Property.bReplicated);
			if (bListed && IsDue(Peer, Object, Property, Listed->Condition))
			{
				SendProperty(Peer, Object, Property);
			}
		}
	}
}

// What is only for the owner does not reach others, and an initial value has no successor.
bool FSession::IsDue(const FPeer& Peer, UObject* Object, const FDoubleProperty& Property,
	ELifetimeCondition Condition)
{
	if (Condition == COND_InitialOnly) { return !Peer.SentProperties.count({Object, Property.Name}); }
	const UActorComponent* Component = Cast<UActorComponent>(Object);
	const AActor* Actor = Component ? Component->GetOwner() : Cast<AActor>(Object);
	return Condition != COND_OwnerOnly || (Actor && Actor->GetNetConnection() == Peer.ServerConnection);
}

void FSession::SendProperty(FPeer& Peer, UObject* Object, const FDoubleProperty& Property)
{
	const auto Key = std::make_pair(Object, Property.Name);
	const auto Found = Peer.SentProperties.find(Key);
	if (Found != Peer.SentProperties.end() && Property.Same(Object, Found->second.Value)) { return; }
	const uint64 Number = Found == Peer.SentProperties.end() ? 1 : Found->second.Number + 1;
	const std::any Value = Property.Take(Object);
	Peer.SentProperties[Key] = {Value, Number};
	// It arrives in the end, but only if nothing newer has. Actors are updated more rarely than frames, so
	// calls overtake their properties.
	const double HeldSeconds = 0.1 * Dice.Fraction();
	Send(Peer, false, ECarried::Repeated, [&Peer, Object, Property, Key, Value, Number]()
	{
		if (Peer.AppliedProperties[Key] >= Number) { return; }
		Peer.AppliedProperties[Key] = Number;
		UObject* const Here = Peer.Counterpart(Object);
		if (!Here) { return; }
		const bool bChanged = !Property.Same(Here, Value);
		Property.Put(Here, Value);
		if (bChanged && Property.Notify) { Property.Notify(Here); }
	}, HeldSeconds);
}

void FSession::OpenChannel(FPeer& Peer, UObject* Object)
{
	Peer.Channels[Object] = nullptr;
	Send(Peer, false, ECarried::Repeated, [&Peer, Object]()
	{
		UObject* Made = nullptr;
		UWorld* World = Peer.Machine.World;
		if (UActorComponent* Component = Cast<UActorComponent>(Object))
		{
			const bool bSecond = Peer.SecondAtServer && Component->GetOwner() == Peer.SecondAtServer;
			APlayerController* const Owner = bSecond ? Peer.Second : Peer.Controller;
			// A component of the class's own is there already; another one is made.
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
		Peer.Channels[Object] = Made;
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
