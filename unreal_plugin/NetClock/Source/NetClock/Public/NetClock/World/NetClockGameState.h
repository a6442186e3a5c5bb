// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/GameState.h"
#include "GameFramework/GameStateBase.h"
#include "NetClockGameState.generated.h"

/** A game state whose GetServerWorldTimeSeconds() compensates for the network delay on every client, even
 * through pauses and slow motion. On clients, the time only goes backwards at a reported discontinuity. On
 * the server, in replays, and until the clock is synced, the function returns the engine's value. On the
 * server, this value is exact. */
UCLASS()
class NETCLOCK_API ANetClockGameState : public AGameState
{
	GENERATED_BODY()

public:
	virtual double GetServerWorldTimeSeconds() const override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** The segments of the server's world clocks, for replays. Players receive the segments through their
	 * components instead. The bytes include their length and a checksum, and clients never modify them. */
	UPROPERTY(Replicated)
	TArray<uint8> Blob;
};

/** The same game state without match states, for game modes that derive from AGameModeBase. */
UCLASS()
class NETCLOCK_API ANetClockGameStateBase : public AGameStateBase
{
	GENERATED_BODY()

public:
	virtual double GetServerWorldTimeSeconds() const override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** Same as ANetClockGameState::Blob. */
	UPROPERTY(Replicated)
	TArray<uint8> Blob;
};

namespace NetClock
{
	/** Returns the blob of a NetClock game state, or null. */
	const TArray<uint8>* BlobOf(const AGameStateBase& State);

	/** Server: replaces the blob if the bytes differ. */
	void PublishBlob(AGameStateBase& State, const TArray<uint8>& Bytes);
}
