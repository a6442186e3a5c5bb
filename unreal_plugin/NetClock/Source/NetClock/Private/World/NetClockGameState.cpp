// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "World/NetClockGameState.h"

#include "Engine/World.h"
#include "Net/UnrealNetwork.h"
#include "Clock/NetClockSubsystem.h"

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
		SegmentsHandle = Subsystem->OnServerSegmentsChanged.AddUObject(this, &ANetClockGameState::Publish);
		ServerSegments = Subsystem->GetServerSegments();
	}
	else
	{
		Subsystem->SetServerSegments(ServerSegments);
	}
}

void ANetClockGameState::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->OnServerSegmentsChanged.Remove(SegmentsHandle);
	}
	Super::EndPlay(EndPlayReason);
}

void ANetClockGameState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockGameState, ServerSegments);
}

void ANetClockGameState::Publish(const FNetClockWorldSegments& Segments)
{
	ServerSegments = Segments;
}

void ANetClockGameState::OnRep_ServerSegments()
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->SetServerSegments(ServerSegments);
	}
}
