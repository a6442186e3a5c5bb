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

	/** The player's number, starting at 1. */
	UPROPERTY()
	int32 Number = 0;

	UPROPERTY()
	int32 Hits = 0;

	UPROPERTY()
	int32 Shots = 0;
};

/**
 * The race, which is the same on every machine. The parent class makes GetServerWorldTimeSeconds() accurate
 * on clients, and the positions of the runners and of the target are functions of that time. The positions
 * are therefore the same on every machine, even through pauses and slow motion, although they are never sent.
 */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSampleGameState : public ANetClockGameStateBase
{
	GENERATED_BODY()

public:
	/** The length of the race, and the distance that a hit adds, in metres. */
	static constexpr double RaceMetres = 200.0;
	static constexpr double HitMetres = 15.0;
	static constexpr double MetresPerSecond = 8.0;

	/** The number of players with which a race begins. */
	static constexpr int32 PlayersToStart = 2;

	virtual void BeginPlay() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** Returns true from the start until a player has won. */
	bool IsRunning() const { return StartSeconds >= 0.0 && Winner == 0; }

	/** Returns how far a runner has come at a server world time, in metres. */
	double GetMetres(const FNetClockSampleRunner& Runner, double WorldSeconds) const;

	/** Returns the position of the target at a server world time, from -1 to 1. A shot hits while it is in
	 * the sights, around 0. */
	static double GetTarget(double WorldSeconds);
	static bool IsInSights(double WorldSeconds);

	UPROPERTY(Replicated)
	TArray<FNetClockSampleRunner> Runners;

	/** The server world time of the start, in seconds. Negative until the race has started. */
	UPROPERTY(Replicated)
	double StartSeconds = -1.0;

	/** The number of the player who won. Zero until a player has won. */
	UPROPERTY(Replicated)
	int32 Winner = 0;

	/** The server world time at which the winner reached the end, in seconds. */
	UPROPERTY(Replicated)
	double WonSeconds = 0.0;

private:
	/** Called on every machine at the instant of the start, or when a machine joins later. */
	UFUNCTION()
	void HandleStart(double LatenessMs, double ErrorBoundMs);
};
