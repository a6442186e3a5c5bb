// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClockSamplePlayerController.generated.h"

class ANetClockSampleGameMode;

/** The player's keys, and the calls to the server behind them. It needs no class of NetClock's: the plugin
 * adds the clock. */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSamplePlayerController : public APlayerController
{
	GENERATED_BODY()

public:
	virtual void SetupInputComponent() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	/** Number of the player, from 1 on. */
	UPROPERTY(Replicated)
	int32 Number = 0;

	/** Client: how the server judged the newest shot. */
	bool bHasShot = false;
	bool bLastShotHit = false;
	double LastShotBackMs = 0.0;

	UFUNCTION(Client, Reliable)
	void ClientShotJudged(bool bHit, double BackMs);

private:
	void Shoot();

	/** The stamp says when the player acted. The server believes it as far as the connection can explain
	 * it. */
	UFUNCTION(Server, Reliable)
	void ServerShoot(const FNetClockStamp& Stamp);

	UFUNCTION(Server, Reliable)
	void ServerTogglePause();

	UFUNCTION(Server, Reliable)
	void ServerToggleSlowMotion();

	UFUNCTION(Server, Reliable)
	void ServerBeginRace();

	/** On the server; null elsewhere. */
	ANetClockSampleGameMode* GetRules() const;
};
