// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSampleGameState.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "Net/UnrealNetwork.h"
#include "NetClock/Game/NetClockStart.h"

namespace
{
	/** The target's speed, in radians per second of world time, and the width of the sights. */
	constexpr double TargetSpeed = 3.5;
	constexpr double Sights = 0.18;
}

void ANetClockSampleGameState::BeginPlay()
{
	Super::BeginPlay();
	if (UNetClockStart* Start = GetWorld()->GetSubsystem<UNetClockStart>())
	{
		Start->OnStart.AddDynamic(this, &ANetClockSampleGameState::HandleStart);
	}
}

void ANetClockSampleGameState::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockSampleGameState, Runners);
	DOREPLIFETIME(ANetClockSampleGameState, StartSeconds);
	DOREPLIFETIME(ANetClockSampleGameState, Winner);
	DOREPLIFETIME(ANetClockSampleGameState, WonSeconds);
}

void ANetClockSampleGameState::HandleStart(double LatenessMs, double)
{
	// The instant of the start lies between two frames, so find the world time at that instant. Clients do
	// not wait for the server's value. It arrives later and differs by no more than the clock's error.
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const UNetClockStart* Start = GetWorld()->GetSubsystem<UNetClockStart>();
	double AtStart = 0.0;
	if (Clock && Start &&
		Clock->GetWorldTimeAt(ENetClockWorldClock::World, Start->GetStartStatus().AtTicks, AtStart))
	{
		StartSeconds = AtStart;
	}
	else if (HasAuthority())
	{
		StartSeconds = GetServerWorldTimeSeconds() - LatenessMs * 1.0e-3;
	}
}

double ANetClockSampleGameState::GetMetres(const FNetClockSampleRunner& Runner, double WorldSeconds) const
{
	if (StartSeconds < 0.0)
	{
		return 0.0;
	}
	const double Until = Winner != 0 ? FMath::Min(WorldSeconds, WonSeconds) : WorldSeconds;
	const double Metres = FMath::Max(Until - StartSeconds, 0.0) * MetresPerSecond + Runner.Hits * HitMetres;
	return FMath::Min(Metres, RaceMetres);
}

double ANetClockSampleGameState::GetTarget(double WorldSeconds)
{
	return FMath::Sin(WorldSeconds * TargetSpeed);
}

bool ANetClockSampleGameState::IsInSights(double WorldSeconds)
{
	return FMath::Abs(GetTarget(WorldSeconds)) < Sights;
}
