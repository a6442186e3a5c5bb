// The engine double: an active effect and a query for effects. API pages "FActiveGameplayEffect",
// "FGameplayEffectQuery".
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
	/** By its page: keeps the start right when the difference between the server's world time and this
	 * machine's changes. */
	void RecomputeStartWorldTime(float WorldTime, float ServerWorldTime)
	{
		StartWorldTime = WorldTime - (ServerWorldTime - StartServerWorldTime);
	}

	/** When it began, in server world time. It is replicated. */
	float StartServerWorldTime = 0;
	/** The same in this machine's world time. */
	float StartWorldTime = 0;

	// Of the double itself.
	int32 Number = 0;
	/** Negative: it never ends. */
	float Duration = -1;
	FGameplayTagContainer Granted;
	static bool DoubleSameProperties(const FActiveGameplayEffect& A, const FActiveGameplayEffect& B)
	{
		return A.Number == B.Number;
	}
};

struct FGameplayEffectQuery
{
	static FGameplayEffectQuery MakeQuery_MatchAnyOwningTags(const FGameplayTagContainer& Tags)
	{
		return {Tags};
	}

	// Of the double itself.
	FGameplayTagContainer Wanted;
};
