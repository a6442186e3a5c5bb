// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/GameStateBase.h"
#include "Clock/NetClockTypes.h"
#include "Base/NetClockVersion.h"
#include "NetClockGameStateBase.generated.h"

/**
 * A game state whose GetServerWorldTimeSeconds() says on every client what it says on the server, without the network's
 * delay, through pauses and slow motion, and never less than before. Until synced, and in replays, it is the engine's own.
 * On the server it is the engine's own always: the world's time.
 */
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

	/** For those who join, for replays, and for what was lost: the component brings it sooner. */
	UPROPERTY(ReplicatedUsing = OnRep_ServerSegments)
	FNetClockWorldSegments ServerSegments;

	FDelegateHandle SegmentsHandle;
};
