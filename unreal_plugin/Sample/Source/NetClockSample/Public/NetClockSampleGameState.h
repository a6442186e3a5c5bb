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
 * The state of the race, which is the same on every machine. The parent class makes
 * GetServerWorldTimeSeconds() accurate on clients. The positions of the runners and the target are functions
 * of that time. The positions are therefore the same on every machine, even during pauses and slow motion,
 * although they are never sent.
 */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSampleGameState : public ANetClockGameStateBase
{
	GENERATED_BODY()

public:
	/** The length of the race and the distance gained with each hit, in metres. */
	static constexpr double RaceMetres = 200.0;
	static constexpr double HitMetres = 15.0;
	static constexpr double MetresPerSecond = 8.0;

	/** The number of players it takes to begin a race. */
	static constexpr int32 PlayersToStart = 2;

	virtual void BeginPlay() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** Returns true from the start until a player has won. */
	bool IsRunning() const { return StartSeconds >= 0.0 && Winner == 0; }

	/** Returns how far a runner has run by a given server world time, in metres. */
	double GetMetres(const FNetClockSampleRunner& Runner, double WorldSeconds) const;

	/** Returns the position of the target at a server world time, from -1 to 1. A shot hits if the target is
	 * in the sights at that moment, that is, near position 0. */
	static double GetTarget(double WorldSeconds);
	static bool IsInSights(double WorldSeconds);

	UPROPERTY(Replicated)
	TArray<FNetClockSampleRunner> Runners;

	/** The server world time of the start, in seconds, or a negative value until the race has started. */
	UPROPERTY(Replicated)
	double StartSeconds = -1.0;

	/** The number of the player who won, or zero until there is a winner. */
	UPROPERTY(Replicated)
	int32 Winner = 0;

	/** The server world time at which the winner finished, in seconds. */
	UPROPERTY(Replicated)
	double WonSeconds = 0.0;

private:
	/** Called on every machine when the race starts, or when the machine joins if that is later. */
	UFUNCTION()
	void HandleStart(double LatenessMs, double ErrorBoundMs);
};
