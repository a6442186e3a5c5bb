// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "Net/UnrealNetwork.h"
#include "World/NetClockGameStates.h"

FNetClockWorldSeconds ANetClockGameStateBase::GetServerWorldTimeSeconds() const
{
	return NetClock::ShowWorldTime(*this, Super::GetServerWorldTimeSeconds());
}

void ANetClockGameStateBase::BeginPlay()
{
	Super::BeginPlay();
	SegmentsHandle = NetClock::FollowSegments(*this, &ANetClockGameStateBase::Publish, ServerSegments);
}

void ANetClockGameStateBase::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	NetClock::UnfollowSegments(*this, SegmentsHandle);
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
	NetClock::LearnSegments(*this, ServerSegments);
}
