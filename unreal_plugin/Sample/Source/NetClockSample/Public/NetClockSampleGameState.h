// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/World/NetClockGameState.h"
#include "NetClockSampleGameState.generated.h"

/** One player in the race. */
USTRUCT()
struct FNetClockSampleRunner
{
	GENERATED_BODY()

	/** Number of the player, from 1 on. */
	UPROPERTY()
	int32 Number = 0;

	UPROPERTY()
	int32 Hits = 0;

	UPROPERTY()
	int32 Shots = 0;
};

/**
 * The race, as every machine sees it. Its parent makes GetServerWorldTimeSeconds() right on clients; that is
 * all the sample needs. Where a runner is and where the target is are functions of that time. Nothing about
 * them is sent, and still they are in the same place on every machine, through pauses and slow motion.
 */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSampleGameState : public ANetClockGameStateBase
{
	GENERATED_BODY()

public:
	/** Length of the race, and what a hit is worth, in metres. */
	static constexpr double RaceMetres = 200.0;
	static constexpr double HitMetres = 15.0;
	static constexpr double MetresPerSecond = 8.0;

	/** Players that a race begins with. */
	static constexpr int32 PlayersToStart = 2;

	virtual void BeginPlay() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** True from the start until somebody has won. */
	bool IsRunning() const { return StartSeconds >= 0.0 && Winner == 0; }

	/** How far a runner is at a server world time, in metres. */
	double GetMetres(const FNetClockSampleRunner& Runner, double WorldSeconds) const;

	/** Where the target is at a server world time, from -1 to 1. A shot hits while it is in the sights,
	 * around 0. */
	static double GetTarget(double WorldSeconds);
	static bool IsInSights(double WorldSeconds);

	UPROPERTY(Replicated)
	TArray<FNetClockSampleRunner> Runners;

	/** Server world time of the start, in seconds. Negative until the race has started. */
	UPROPERTY(Replicated)
	double StartSeconds = -1.0;

	/** Number of the player who won. Zero: nobody yet. */
	UPROPERTY(Replicated)
	int32 Winner = 0;

	/** Server world time at which the winner reached the end, in seconds. */
	UPROPERTY(Replicated)
	double WonSeconds = 0.0;

private:
	/** Called on every machine at the instant of the start, or when a machine joins later. */
	UFUNCTION()
	void HandleStart(double LatenessMs, double ErrorBoundMs);
};
