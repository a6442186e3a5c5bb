// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockEffects.h"

#include "AbilitySystemComponent.h"
#include "NetClock/Base/NetClockBase.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "UObject/UObjectIterator.h"

namespace
{
	/** The smallest error to correct, in ms. After three hours, the float times of effects only have a
	 * resolution of 1 ms. */
	constexpr double LeastChangeMs = 1.0;

	/** The longest time between two conversions of the effects, in ticks. The game may have converted them
	 * with a different time. */
	constexpr int64 AtLeastTicks = NetClock::TicksPerSecond / 4;
}

UNetClockEffects* UNetClockEffects::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World ? World->GetSubsystem<UNetClockEffects>() : nullptr;
}

bool UNetClockEffects::GetServerWorldSeconds(const UWorld& World, double& Seconds)
{
	const AGameStateBase* State = World.GetGameState();
	Seconds = State ? State->GetServerWorldTimeSeconds() : 0.0;
	return State != nullptr;
}

void UNetClockEffects::OnWorldBeginPlay(UWorld& InWorld)
{
	Super::OnWorldBeginPlay(InWorld);
	FollowFrames(true);
}

bool UNetClockEffects::GetDifference(double& Seconds) const
{
	const UWorld* World = GetWorld();
	if (!World || World->GetNetMode() != NM_Client || !GetServerWorldSeconds(*World, Seconds))
	{
		return false;
	}
	Seconds -= World->GetTimeSeconds();
	return true;
}

void UNetClockEffects::BeforeActors()
{
	double Seconds = 0.0;
	if (!GetDifference(Seconds))
	{
		return;
	}
	const bool bChanged = FMath::Abs(Seconds - AppliedSeconds) * 1000.0 >= LeastChangeMs;
	if (AppliedTicks == 0 || bChanged || NetClock::LocalTicks() - AppliedTicks >= AtLeastTicks)
	{
		RecomputeEffectTimes();
	}
}

void UNetClockEffects::RecomputeEffectTimes()
{
	double Seconds = 0.0;
	if (!GetDifference(Seconds))
	{
		return;
	}
	const UWorld* World = GetWorld();
	const float Here = static_cast<float>(World->GetTimeSeconds());
	const float There = static_cast<float>(World->GetTimeSeconds() + Seconds);
	// In the editor, several worlds may have ability system components.
	for (TObjectIterator<UAbilitySystemComponent> Component; Component; ++Component)
	{
		if (Component->GetWorld() == World)
		{
			Component->RecomputeGameplayEffectStartTimes(Here, There);
		}
	}
	AppliedSeconds = Seconds;
	AppliedTicks = NetClock::LocalTicks();
	++Recomputations;
}
