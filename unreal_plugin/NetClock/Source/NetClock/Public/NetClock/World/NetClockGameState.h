// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/GameState.h"
#include "GameFramework/GameStateBase.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/World/NetClockWorldTypes.h"
#include "NetClockGameState.generated.h"

/**
 * A game state whose GetServerWorldTimeSeconds() returns the server's world time on every client: without the
 * network's delay, through pauses and slow motion, and never less than before. Until synced, and in replays,
 * it returns the engine's value. On the server it always returns the engine's value, which is the world time
 * itself.
 */
UCLASS()
class NETCLOCK_API ANetClockGameState : public AGameState
{
	GENERATED_BODY()

public:
	virtual FNetClockWorldSeconds GetServerWorldTimeSeconds() const override;
	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type EndPlayReason) override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

private:
	UFUNCTION()
	void OnRep_ServerSegments();

	void Publish(const FNetClockWorldSegments& Segments);

	/** For players who join, for replays, and to repair lost segments. The component sends them sooner. */
	UPROPERTY(ReplicatedUsing = OnRep_ServerSegments)
	FNetClockWorldSegments ServerSegments;

	FDelegateHandle SegmentsHandle;
};

/** The same for a game mode without matches: one derived from AGameModeBase. */
UCLASS()
class NETCLOCK_API ANetClockGameStateBase : public AGameStateBase
{
	GENERATED_BODY()

public:
	virtual FNetClockWorldSeconds GetServerWorldTimeSeconds() const override;
	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type EndPlayReason) override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

private:
	UFUNCTION()
	void OnRep_ServerSegments();

	void Publish(const FNetClockWorldSegments& Segments);

	/** For players who join, for replays, and to repair lost segments. The component sends them sooner. */
	UPROPERTY(ReplicatedUsing = OnRep_ServerSegments)
	FNetClockWorldSegments ServerSegments;

	FDelegateHandle SegmentsHandle;
};
