// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSamplePlayerController.h"

#include "Components/InputComponent.h"
#include "Engine/World.h"
#include "InputCoreTypes.h"
#include "Net/UnrealNetwork.h"
#include "NetClockSampleGameMode.h"
#include "NetClock/Game/NetClockOrder.h"

void ANetClockSamplePlayerController::SetupInputComponent()
{
	Super::SetupInputComponent();
	using FSelf = ANetClockSamplePlayerController;
	InputComponent->BindKey(EKeys::SpaceBar, IE_Pressed, this, &FSelf::Shoot);
	// A key can be bound directly to a server call.
	InputComponent->BindKey(EKeys::M, IE_Pressed, this, &FSelf::ServerToggleSlowMotion);
	InputComponent->BindKey(EKeys::R, IE_Pressed, this, &FSelf::ServerBeginRace);
	InputComponent->BindKey(EKeys::P, IE_Pressed, this, &FSelf::ServerTogglePause).bExecuteWhenPaused = true;
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
	// This is the frame in which the player saw the target and pulled the trigger.
	ServerShoot(UNetClockOrder::GetEventStamp(this));
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
