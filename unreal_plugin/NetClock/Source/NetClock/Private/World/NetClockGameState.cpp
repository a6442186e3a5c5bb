// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/World/NetClockGameState.h"

#include "Net/UnrealNetwork.h"
#include "World/NetClockGameStates.h"

FNetClockWorldSeconds ANetClockGameState::GetServerWorldTimeSeconds() const
{
	return NetClock::ShowWorldTime(*this, Super::GetServerWorldTimeSeconds());
}

void ANetClockGameState::BeginPlay()
{
	Super::BeginPlay();
	SegmentsHandle = NetClock::FollowSegments(*this, &ANetClockGameState::Publish, ServerSegments);
}

void ANetClockGameState::EndPlay(const EEndPlayReason::Type EndPlayReason)
{
	NetClock::UnfollowSegments(*this, SegmentsHandle);
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
	NetClock::LearnSegments(*this, ServerSegments);
}
