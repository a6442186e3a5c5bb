// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSamplePlayerController.h"

#include "Components/InputComponent.h"
#include "Engine/World.h"
#include "InputCoreTypes.h"
#include "Net/UnrealNetwork.h"
#include "NetClockSampleGameMode.h"
#include "NetClock/Order/NetClockOrder.h"

void ANetClockSamplePlayerController::SetupInputComponent()
{
	Super::SetupInputComponent();
	InputComponent->BindKey(EKeys::SpaceBar, IE_Pressed, this, &ANetClockSamplePlayerController::Shoot);
	InputComponent->BindKey(EKeys::M, IE_Pressed, this, &ANetClockSamplePlayerController::ToggleSlowMotion);
	InputComponent->BindKey(EKeys::R, IE_Pressed, this, &ANetClockSamplePlayerController::BeginRace);
	InputComponent->BindKey(EKeys::P, IE_Pressed, this, &ANetClockSamplePlayerController::TogglePause)
		.bExecuteWhenPaused = true;
}

void ANetClockSamplePlayerController::GetLifetimeReplicatedProps(
	TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(ANetClockSamplePlayerController, Number);
}

ANetClockSampleGameMode* ANetClockSamplePlayerController::GetRules() const
{
	return GetWorld()->GetAuthGameMode<ANetClockSampleGameMode>();
}

void ANetClockSamplePlayerController::Shoot()
{
	// The time of this frame, in which the player saw the target and pulled the trigger.
	ServerShoot(UNetClockOrder::GetEventStamp(this));
}

void ANetClockSamplePlayerController::TogglePause()
{
	ServerTogglePause();
}

void ANetClockSamplePlayerController::ToggleSlowMotion()
{
	ServerToggleSlowMotion();
}

void ANetClockSamplePlayerController::BeginRace()
{
	ServerBeginRace();
}

void ANetClockSamplePlayerController::ServerShoot_Implementation(const FNetClockStamp& Stamp)
{
	if (ANetClockSampleGameMode* Rules = GetRules())
	{
		Rules->JudgeShot(*this, Stamp);
	}
}

void ANetClockSamplePlayerController::ServerTogglePause_Implementation()
{
	if (ANetClockSampleGameMode* Rules = GetRules())
	{
		Rules->TogglePause(this);
	}
}

void ANetClockSamplePlayerController::ServerToggleSlowMotion_Implementation()
{
	if (ANetClockSampleGameMode* Rules = GetRules())
	{
		Rules->ToggleSlowMotion();
	}
}

void ANetClockSamplePlayerController::ServerBeginRace_Implementation()
{
	if (ANetClockSampleGameMode* Rules = GetRules())
	{
		Rules->BeginRace();
	}
}

void ANetClockSamplePlayerController::ClientShotJudged_Implementation(bool bHit, double BackMs)
{
	bHasShot = true;
	bLastShotHit = bHit;
	LastShotBackMs = BackMs;
}
