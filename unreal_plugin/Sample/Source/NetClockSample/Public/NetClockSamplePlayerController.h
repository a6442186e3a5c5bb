// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClockSamplePlayerController.generated.h"

class ANetClockSampleGameMode;

/** Handles the player's keys and the server calls that they trigger. It does not need to derive from a
 * NetClock class, because the plugin adds the clock component. */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSamplePlayerController : public APlayerController
{
	GENERATED_BODY()

public:
	virtual void SetupInputComponent() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** The player's number, starting at 1. */
	UPROPERTY(Replicated)
	int32 Number = 0;

	/** Client: the server's verdict about the latest shot. */
	bool bHasShot = false;
	bool bLastShotHit = false;
	double LastShotBackMs = 0.0;

	UFUNCTION(Client, Reliable)
	void ClientShotJudged(bool bHit, double BackMs);

private:
	void Shoot();

	/** Stamp contains the time at which the player acted. The server accepts this time if it is plausible for
	 * the player's connection. */
	UFUNCTION(Server, Reliable)
	void ServerShoot(const FNetClockStamp& Stamp);

	UFUNCTION(Server, Reliable)
	void ServerTogglePause();

	UFUNCTION(Server, Reliable)
	void ServerToggleSlowMotion();

	UFUNCTION(Server, Reliable)
	void ServerBeginRace();

	/** Returns the game mode on the server, and null on clients. */
	ANetClockSampleGameMode* GetRules() const;
};
