// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockGameState.h"

#include "Engine/World.h"
#include "Net/UnrealNetwork.h"
#include "NetClockSubsystem.h"

FNetClockWorldSeconds ANetClockGameState::GetServerWorldTimeSeconds() const
{
	const FNetClockWorldSeconds Engine = Super::GetServerWorldTimeSeconds();
	const UWorld* World = GetWorld();
	const UNetClockSubsystem* Subsystem = World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
	return Subsystem ? static_cast<FNetClockWorldSeconds>(Subsystem->ShowWorldTime(Engine)) : Engine;
}

void ANetClockGameState::BeginPlay()
{
	Super::BeginPlay();
	UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr;
	if (!Subsystem)
	{
		return;
	}
	if (HasAuthority())
	{
		SegmentHandle = Subsystem->OnServerSegmentChanged.AddUObject(this, &ANetClockGameState::Publish);
		ServerSegment = Subsystem->GetServerSegment();
	}
	else
	{
		Subsystem->SetServerSegment(ServerSegment);
	}
}

void ANetClockGameState::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->OnServerSegmentChanged.Remove(SegmentHandle);
	}
	Super::EndPlay(EndPlayReason);
}

void ANetClockGameState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockGameState, ServerSegment);
}

void ANetClockGameState::Publish(const FNetClockWorldSegment& Segment)
{
	ServerSegment = Segment;
	ForceNetUpdate();
}

void ANetClockGameState::OnRep_ServerSegment()
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->SetServerSegment(ServerSegment);
	}
}
