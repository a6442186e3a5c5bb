// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockEffects.h"

#include "AbilitySystemComponent.h"
#include "Engine/World.h"
#include "GameplayEffect.h"

namespace
{
	struct FEffectTimes
	{
		double StartSeconds = 0.0;
		double EndSeconds = 0.0;
		double RemainingSeconds = 0.0;
	};

	/** Returns false if the effect does not exist or never ends (its duration is not positive). */
	bool ReadTimes(
		const UAbilitySystemComponent* AbilitySystem, FActiveGameplayEffectHandle Handle, FEffectTimes& Times)
	{
		const UWorld* World = AbilitySystem ? AbilitySystem->GetWorld() : nullptr;
		const FActiveGameplayEffect* Effect =
			World ? AbilitySystem->GetActiveGameplayEffect(Handle) : nullptr;
		double Now = 0.0;
		if (!Effect || Effect->GetDuration() <= 0.0f || !UNetClockEffects::GetServerWorldSeconds(*World, Now))
		{
			return false;
		}
		Times.StartSeconds = static_cast<double>(Effect->StartServerWorldTime);
		Times.EndSeconds = Times.StartSeconds + static_cast<double>(Effect->GetDuration());
		Times.RemainingSeconds = FMath::Max(Times.EndSeconds - Now, 0.0);
		return true;
	}
}

bool UNetClockEffectNodes::GetEffectTimes(
	FActiveGameplayEffectHandle Effect, double& StartSeconds, double& EndSeconds, double& RemainingSeconds)
{
	FEffectTimes Times;
	const bool bFound = ReadTimes(Effect.GetOwningAbilitySystemComponent(), Effect, Times);
	StartSeconds = Times.StartSeconds;
	EndSeconds = Times.EndSeconds;
	RemainingSeconds = Times.RemainingSeconds;
	return bFound;
}

bool UNetClockEffectNodes::GetCooldownTimes(const UAbilitySystemComponent* AbilitySystem,
	const FGameplayTagContainer& CooldownTags, double& RemainingSeconds, double& DurationSeconds)
{
	RemainingSeconds = 0.0;
	DurationSeconds = 0.0;
	if (!AbilitySystem)
	{
		return false;
	}
	bool bFound = false;
	double LatestEnd = 0.0;
	for (const FActiveGameplayEffectHandle& Handle :
		AbilitySystem->GetActiveEffects(FGameplayEffectQuery::MakeQuery_MatchAnyOwningTags(CooldownTags)))
	{
		FEffectTimes Times;
		if (ReadTimes(AbilitySystem, Handle, Times) && (!bFound || Times.EndSeconds > LatestEnd))
		{
			bFound = true;
			LatestEnd = Times.EndSeconds;
			RemainingSeconds = Times.RemainingSeconds;
			DurationSeconds = Times.EndSeconds - Times.StartSeconds;
		}
	}
	return bFound;
}
