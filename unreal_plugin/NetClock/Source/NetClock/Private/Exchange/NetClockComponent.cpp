// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockComponent.h"

#include "NetClock/Base/NetClockBase.h"
#include "Engine/World.h"
#include "Net/UnrealNetwork.h"

UNetClockComponent::FMake UNetClockComponent::Makers[NumSubjects] = {};

ANetClockPlayerController::ANetClockPlayerController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}

UNetClockComponent::UNetClockComponent()
{
	PrimaryComponentTick.bCanEverTick = false;
	SetIsReplicatedByDefault(true);
}

UNetClockComponent* UNetClockComponent::Of(const APlayerController* Player)
{
	return Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
}

UNetClockComponent* UNetClockComponent::OfLocal(const APlayerController* Player)
{
	return Player && Player->IsLocalController() ? Of(Player) : nullptr;
}

void UNetClockComponent::BeginPlay()
{
	Super::BeginPlay();
	static bool bWarned = false;
	if (!bWarned && !Cast<APlayerController>(GetOwner()))
	{
		bWarned = true;
		UE_LOG(LogNetClock, Warning,
			TEXT("A NetClock component on %s does nothing: only that of a player controller asks the server. "
				 "Remove it. Servers add one to each player controller."),
			GetOwner() ? *GetOwner()->GetName() : TEXT("nothing"));
	}
}

void UNetClockComponent::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(UNetClockComponent, StartNews);
	DOREPLIFETIME(UNetClockComponent, Authority);
	DOREPLIFETIME(UNetClockComponent, ServerBoot);
	DOREPLIFETIME(UNetClockComponent, UtcClaim);
	DOREPLIFETIME(UNetClockComponent, bServerHasNoClock);
	DOREPLIFETIME_CONDITION(UNetClockComponent, LinkOffer, COND_OwnerOnly);
}

// The subjects.

bool UNetClockComponent::Register(ENetClockSubject Subject, FMake Make)
{
	Makers[static_cast<int32>(Subject)] = Make;
	return true;
}

FNetClockSubject* UNetClockComponent::Find(ENetClockSubject Subject)
{
	const int32 Index = static_cast<int32>(Subject);
	// A message can name a subject that this game does not have, or that nobody has.
	if (Index >= NumSubjects || !Makers[Index])
	{
		return nullptr;
	}
	if (!Subjects[Index].IsValid())
	{
		Subjects[Index] = Makers[Index](*this);
	}
	return Subjects[Index].Get();
}

void UNetClockComponent::Ask()
{
	if (!bServerHasNoClock)
	{
		WithEach([](FNetClockSubject& Subject) { Subject.Ask(); });
	}
}

void UNetClockComponent::Serve(FNetClockServing& Frame)
{
	WithEach([&Frame](FNetClockSubject& Subject) { Subject.Serve(Frame); });
}

void UNetClockComponent::NoteProbe(const FNetClockProbe& Probe)
{
	WithEach([&Probe](FNetClockSubject& Subject) { Subject.OnProbe(Probe); });
}

void UNetClockComponent::OnRep_Authority()
{
	With(ENetClockSubject::Authority, [](FNetClockSubject& Subject) { Subject.Learn(); });
}

void UNetClockComponent::OnRep_UtcClaim()
{
	With(ENetClockSubject::Utc, [](FNetClockSubject& Subject) { Subject.Learn(); });
}

// Their messages.

void UNetClockComponent::Send(ENetClockSubject Subject, int32 World, const FNetClockDatagram& Datagram)
{
	if (GetWorld()->GetNetMode() == NM_Client)
	{
		ServerMessage(Subject, World, Datagram);
	}
	else
	{
		ClientMessage(Subject, World, Datagram);
	}
}

void UNetClockComponent::ServerMessage_Implementation(
	ENetClockSubject Which, int32 World, const FNetClockDatagram& Datagram)
{
	With(Which, [&](FNetClockSubject& Subject) { Subject.Receive(World, Datagram); });
}

void UNetClockComponent::ClientMessage_Implementation(
	ENetClockSubject Which, int32 World, const FNetClockDatagram& Datagram)
{
	With(Which, [&](FNetClockSubject& Subject) { Subject.Receive(World, Datagram); });
}

void UNetClockComponent::ServerProbe_Implementation(
	const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	const FNetClockProbe Probe{Request, Known, Heard, NetClock::LocalTicks(), false};
	With(ENetClockSubject::Exchange, [&](FNetClockSubject& Subject) { Subject.ReceiveProbe(Probe); });
}

void UNetClockComponent::ServerProbeReliably_Implementation(
	const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	const FNetClockProbe Probe{Request, Known, Heard, NetClock::LocalTicks(), true};
	With(ENetClockSubject::Exchange, [&](FNetClockSubject& Subject) { Subject.ReceiveProbe(Probe); });
}

void UNetClockComponent::ClientReply_Implementation(
	const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks)
{
	With(ENetClockSubject::Exchange,
		[&](FNetClockSubject& Subject) { Subject.ReceiveReply(Reply, Published, ThroughTicks); });
}

void UNetClockComponent::ClientReplyReliably_Implementation(
	const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks)
{
	ClientReply_Implementation(Reply, Published, ThroughTicks);
}

void UNetClockComponent::ClientSegment_Implementation(
	ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	With(ENetClockSubject::World, [&](FNetClockSubject& Subject) { Subject.ReceiveSegment(Clock, Segment); });
}
