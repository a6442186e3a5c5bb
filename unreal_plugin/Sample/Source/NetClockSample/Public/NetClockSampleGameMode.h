// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/GameModeBase.h"
#include "NetClockSampleGameMode.generated.h"

class ANetClockSampleGameState;
class ANetClockSamplePlayerController;
struct FNetClockStamp;

/** Implements the rules of the race on the server: when it starts, which shots hit, and who wins. */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSampleGameMode : public AGameModeBase
{
	GENERATED_BODY()

public:
	ANetClockSampleGameMode();

	virtual void PostLogin(APlayerController* NewPlayer) override;
	virtual void Logout(AController* Exiting) override;
	virtual void Tick(float DeltaSeconds) override;

	/** Begins a new race, with a countdown and a start at the same instant on every machine. */
	void BeginRace();

	/** Pauses or resumes the game. */
	void TogglePause(APlayerController* Player);

	/** Switches between quarter speed and normal speed. */
	void ToggleSlowMotion();

	/** Judges a shot against the scene that the player saw when firing, if the player's claim is
	 * plausible. */
	void JudgeShot(ANetClockSamplePlayerController& Player, const FNetClockStamp& Stamp);

private:
	void FindWinner(ANetClockSampleGameState& Race, double WorldSeconds) const;

	int32 LastNumber = 0;
	bool bIsSlow = false;
};
