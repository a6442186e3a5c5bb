// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockGameStateBase.h"

#include "Engine/World.h"
#include "Net/UnrealNetwork.h"
#include "NetClockSubsystem.h"

FNetClockWorldSeconds ANetClockGameStateBase::GetServerWorldTimeSeconds() const
{
	const FNetClockWorldSeconds Engine = Super::GetServerWorldTimeSeconds();
	const UWorld* World = GetWorld();
	const UNetClockSubsystem* Subsystem = World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
	return Subsystem ? static_cast<FNetClockWorldSeconds>(Subsystem->ShowWorldTime(Engine)) : Engine;
}

void ANetClockGameStateBase::BeginPlay()
{
	Super::BeginPlay();
	UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr;
	if (!Subsystem)
	{
		return;
	}
	if (HasAuthority())
	{
		SegmentHandle = Subsystem->OnServerSegmentChanged.AddUObject(this, &ANetClockGameStateBase::Publish);
		ServerSegment = Subsystem->GetServerSegment();
	}
	else
	{
		Subsystem->SetServerSegment(ServerSegment);
	}
}

void ANetClockGameStateBase::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->OnServerSegmentChanged.Remove(SegmentHandle);
	}
	Super::EndPlay(EndPlayReason);
}

void ANetClockGameStateBase::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockGameStateBase, ServerSegment);
}

void ANetClockGameStateBase::Publish(const FNetClockWorldSegment& Segment)
{
	ServerSegment = Segment;
	ForceNetUpdate();
}

void ANetClockGameStateBase::OnRep_ServerSegment()
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->SetServerSegment(ServerSegment);
	}
}
