// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClockEffects.generated.h"

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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Gameplay Effects", meta = (Keywords = "gas ability cooldown duration server time sync"))
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
