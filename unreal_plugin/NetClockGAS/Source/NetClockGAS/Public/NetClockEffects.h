// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "ActiveGameplayEffectHandle.h"
#include "CoreMinimal.h"
#include "GameplayTagContainer.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClockEffects.generated.h"

class UAbilitySystemComponent;
class UWorld;

/**
 * Keeps a client's gameplay effects on the server's world time. There is one object per game world. No setup
 * is needed.
 *
 * An effect replicates the server world time at which it began. Gameplay Abilities converts this to the
 * machine's world time only once, using the difference between the two clocks at that moment. The difference
 * changes when the clock syncs or jumps, when the message about a pause or slow motion arrives late, and when
 * the server loses time in a long frame. Whenever the difference has changed by LeastChangeMs or more, this
 * subsystem converts all effects in the world again.
 */
UCLASS()
class NETCLOCKGAS_API UNetClockEffects : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the subsystem of the object's world, or null. */
	static UNetClockEffects* Of(const UObject* WorldContextObject);

	/**
	 * Gets the server world time that this world's effects refer to, in seconds. This is NetClock's time if
	 * the game state uses it, and the engine's time otherwise. Returns false if there is no game state yet.
	 */
	static bool GetServerWorldSeconds(const UWorld& World, double& Seconds);

	/** Converts all effects in this world again. Does nothing on a server or in a game without a server. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time sync"))
	void RecomputeEffectTimes();

	/** Returns how many times the effects in this world have been converted again, for tests and counters. */
	int32 GetRecomputations() const { return Recomputations; }

	virtual void OnWorldBeginPlay(UWorld& InWorld) override;

protected:
	void BeforeActors() final;

private:
	/** Computes the server's world time minus this machine's world time, in seconds. Returns false on a
	 * server, and until there is a game state. */
	bool GetDifference(double& Seconds) const;

	/** The difference that was last used to convert the effects. */
	double AppliedSeconds = 0.0;
	/** When the effects were last converted, in ticks of this machine's clock (100 ns), or zero if they have
	 * not been converted yet. */
	int64 AppliedTicks = 0;
	int32 Recomputations = 0;
};

/** Durations and cooldowns in server world time. The results are the same on the server and on every client,
 * even through pauses and slow motion. */
UCLASS()
class NETCLOCKGAS_API UNetClockEffectNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/**
	 * Gets the server world times at which a gameplay effect began and will end, and its remaining time.
	 * Returns false if the effect is not active on this machine or never ends. To act when the effect ends,
	 * pass EndSeconds to Wait Until Server World Time.
	 *
	 * @param Effect The active effect.
	 * @param StartSeconds The server world time at which it began, in seconds.
	 * @param EndSeconds The server world time at which it will end, in seconds.
	 * @param RemainingSeconds The remaining time, in seconds. It is never negative. Only the server removes
	 * an effect, so this stays at 0 until the server's message arrives.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetEffectTimes(FActiveGameplayEffectHandle Effect, double& StartSeconds, double& EndSeconds,
		double& RemainingSeconds);

	/**
	 * Gets the remaining time of a cooldown, which ends when the last effect that grants one of these tags
	 * ends. Returns false if there is no such effect.
	 *
	 * @param AbilitySystem The ability system of the actor.
	 * @param CooldownTags The tags that the cooldown's effect grants.
	 * @param RemainingSeconds The remaining time, in seconds of server world time. It is never negative.
	 * @param DurationSeconds The total duration of the cooldown, in seconds of server world time.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetCooldownTimes(const UAbilitySystemComponent* AbilitySystem,
		const FGameplayTagContainer& CooldownTags, double& RemainingSeconds, double& DurationSeconds);
};
