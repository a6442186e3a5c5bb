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
 * Keeps the gameplay effects of a client on the server's world time. There is one for each game world, and
 * nothing to set up.
 *
 * An effect replicates the server world time at which it began. Gameplay Abilities converts that to this
 * machine's world time once, with the difference of the two at that moment. The difference changes: when the
 * clock syncs or jumps, when news of a pause or of slow motion arrives late, when the server loses time in a
 * long frame. In each frame in which it has changed by LeastChangeMs or more, this subsystem has all effects
 * of the world converted again.
 */
UCLASS()
class NETCLOCKGAS_API UNetClockEffects : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** The subsystem of the world that an object belongs to, or null. */
	static UNetClockEffects* Of(const UObject* WorldContextObject);

	/**
	 * The server world time, in seconds, that effects of this world count by: that of the game state, which
	 * is NetClock's with a game state of NetClock's, and the engine's otherwise. False if there is no game
	 * state yet.
	 */
	static bool GetServerWorldSeconds(const UWorld& World, double& Seconds);

	/** Converts the effects of this world again, now. Does nothing on a server or in a game without one. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time sync"))
	void RecomputeEffectTimes();

	/** How often effects of this world were converted again. For tests, and for a counter of your own. */
	int32 GetRecomputations() const { return Recomputations; }

	virtual void OnWorldBeginPlay(UWorld& InWorld) override;

protected:
	void BeforeActors() final;

private:
	/** Server world time minus this machine's, in seconds. False on a server, and until there is a game
	 * state. */
	bool GetDifference(double& Seconds) const;

	/** The difference that effects were converted with last. */
	double AppliedSeconds = 0.0;
	/** This machine's clock when they were, in ticks of 100 ns. Zero: never. */
	int64 AppliedTicks = 0;
	int32 Recomputations = 0;
};

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
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetEffectTimes(FActiveGameplayEffectHandle Effect, double& StartSeconds, double& EndSeconds,
		double& RemainingSeconds);

	/**
	 * What is left of a cooldown: of the effect that ends last among those that grant one of these tags.
	 * False if there is none.
	 *
	 * @param AbilitySystem The ability system of the actor.
	 * @param CooldownTags The tags that the cooldown's effect grants.
	 * @param RemainingSeconds What is left, in seconds of server world time, never negative.
	 * @param DurationSeconds How long the whole cooldown is, in seconds of server world time.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Gameplay Effects",
		meta = (Keywords = "gas ability cooldown duration server time remaining"))
	static bool GetCooldownTimes(const UAbilitySystemComponent* AbilitySystem,
		const FGameplayTagContainer& CooldownTags, double& RemainingSeconds, double& DurationSeconds);
};
