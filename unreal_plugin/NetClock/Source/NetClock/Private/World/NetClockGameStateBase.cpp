// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "World/NetClockGameStateBase.h"

#include "Engine/World.h"
#include "Net/UnrealNetwork.h"
#include "Clock/NetClockSubsystem.h"

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
		SegmentsHandle = Subsystem->OnServerSegmentsChanged.AddUObject(this, &ANetClockGameStateBase::Publish);
		ServerSegments = Subsystem->GetServerSegments();
	}
	else
	{
		Subsystem->SetServerSegments(ServerSegments);
	}
}

void ANetClockGameStateBase::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->OnServerSegmentsChanged.Remove(SegmentsHandle);
	}
	Super::EndPlay(EndPlayReason);
}

void ANetClockGameStateBase::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockGameStateBase, ServerSegments);
}

void ANetClockGameStateBase::Publish(const FNetClockWorldSegments& Segments)
{
	ServerSegments = Segments;
}

void ANetClockGameStateBase::OnRep_ServerSegments()
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->SetServerSegments(ServerSegments);
	}
}
