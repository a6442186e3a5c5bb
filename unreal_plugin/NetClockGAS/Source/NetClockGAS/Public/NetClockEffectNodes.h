// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "ActiveGameplayEffectHandle.h"
#include "CoreMinimal.h"
#include "GameplayTagContainer.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClockEffectNodes.generated.h"

class UAbilitySystemComponent;

/** Durations and cooldowns in server world time: the same on the server and on every client, through pauses
 * and slow motion. */
UCLASS()
class NETCLOCKGAS_API UNetClockEffectNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/**
	 * When a gameplay effect began and will end, in server world time, and what is left of it. False if it is
	 * not active here, or if it never ends. Give EndSeconds to Wait Until Server World Time to act when it
	 * ends.
	 *
	 * @param Effect The active effect.
	 * @param StartSeconds Server world time at which it began, in seconds.
	 * @param EndSeconds Server world time at which it will end, in seconds.
	 * @param RemainingSeconds What is left of it, in seconds, never negative. The server removes an effect,
	 * so 0 lasts until its news arrives.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects", meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetEffectTimes(FActiveGameplayEffectHandle Effect, double& StartSeconds, double& EndSeconds, double& RemainingSeconds);

	/**
	 * What is left of a cooldown: of the effect that ends last among those that grant one of these tags.
	 * False if there is none.
	 *
	 * @param AbilitySystem The ability system of the actor.
	 * @param CooldownTags The tags that the cooldown's effect grants.
	 * @param RemainingSeconds What is left, in seconds of server world time, never negative.
	 * @param DurationSeconds How long the whole cooldown is, in seconds of server world time.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects", meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetCooldownTimes(const UAbilitySystemComponent* AbilitySystem,
		const FGameplayTagContainer& CooldownTags, double& RemainingSeconds, double& DurationSeconds);
};
