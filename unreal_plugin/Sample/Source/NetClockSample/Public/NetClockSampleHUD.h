// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/HUD.h"
#include "NetClockSampleHUD.generated.h"

class ANetClockSampleGameState;

/** Draws the race, the target, and the clock's status. */
UCLASS()
class NETCLOCKSAMPLE_API ANetClockSampleHUD : public AHUD
{
	GENERATED_BODY()

public:
	virtual void DrawHUD() override;

private:
	void Write(const FString& Text, float X, const FLinearColor& Color);
	void DrawRace(const ANetClockSampleGameState& Race, double WorldSeconds);
	void DrawTarget(double WorldSeconds);
	void DrawClock();

	/** The position of the next line of text, in pixels. */
	float Y = 0.0f;
};
