#pragma once

#include "ActiveGameplayEffectHandle.h"
#include "GameplayTagContainer.h"

struct FActiveGameplayEffect
{
	float GetDuration() const { return Duration; }
	float GetTimeRemaining(float WorldTime) const
	{
		return Duration < 0 ? -1 : Duration - (WorldTime - StartWorldTime);
	}
	/** Corrects the start after the server's world time has changed relative to this machine's. */
	void RecomputeStartWorldTime(float WorldTime, float ServerWorldTime)
	{
		StartWorldTime = WorldTime - (ServerWorldTime - StartServerWorldTime);
	}

	/** When the effect started, in server world time. This property replicates. */
	float StartServerWorldTime = 0;
	/** When the effect started, in this machine's world time. */
	float StartWorldTime = 0;

	// For tests only.
	int32 Number = 0;
	/** An effect with a negative duration never ends. */
	float Duration = -1;
	FGameplayTagContainer Granted;
};

struct FGameplayEffectQuery
{
	static FGameplayEffectQuery MakeQuery_MatchAnyOwningTags(const FGameplayTagContainer& Tags)
	{
		return {Tags};
	}

	// For tests only.
	FGameplayTagContainer Wanted;
};
