// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSampleGameMode.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "Kismet/GameplayStatics.h"
#include "NetClockSampleGameState.h"
#include "NetClockSampleHUD.h"
#include "NetClockSamplePlayerController.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClock/Game/NetClockStart.h"

namespace
{
	/** The countdown, in ms. Announcing the start to all players adds a few tenths of a second. */
	constexpr double CountdownMs = 3000.0;

	/** How long after a win the next race begins, in seconds of world time. */
	constexpr double RestSeconds = 5.0;

	/** How much longer a player's message may take than the fastest one, and the maximum rewind, both in
	 * ms. */
	constexpr double JitterMs = 60.0;
	constexpr double MaxRewindMs = 250.0;

	constexpr float SlowMotion = 0.25f;
}

ANetClockSampleGameMode::ANetClockSampleGameMode()
{
	GameStateClass = ANetClockSampleGameState::StaticClass();
	PlayerControllerClass = ANetClockSamplePlayerController::StaticClass();
	HUDClass = ANetClockSampleHUD::StaticClass();
	PrimaryActorTick.bCanEverTick = true;
}

void ANetClockSampleGameMode::PostLogin(APlayerController* NewPlayer)
{
	Super::PostLogin(NewPlayer);
	ANetClockSampleGameState* Race = GetGameState<ANetClockSampleGameState>();
	ANetClockSamplePlayerController* Player = Cast<ANetClockSamplePlayerController>(NewPlayer);
	if (!Race || !Player)
	{
		return;
	}
	Player->Number = ++LastNumber;
	FNetClockSampleRunner Runner;
	Runner.Number = Player->Number;
	Race->Runners.Add(Runner);
	if (Race->Runners.Num() == ANetClockSampleGameState::PlayersToStart)
	{
		BeginRace();
	}
}

void ANetClockSampleGameMode::Logout(AController* Exiting)
{
	const ANetClockSamplePlayerController* Player = Cast<ANetClockSamplePlayerController>(Exiting);
	if (ANetClockSampleGameState* Race = GetGameState<ANetClockSampleGameState>())
	{
		const int32 Number = Player ? Player->Number : 0;
		Race->Runners.RemoveAll(
			[Number](const FNetClockSampleRunner& Runner) { return Runner.Number == Number; });
	}
	Super::Logout(Exiting);
}

void ANetClockSampleGameMode::BeginRace()
{
	ANetClockSampleGameState* Race = GetGameState<ANetClockSampleGameState>();
	UNetClockStart* Start = GetWorld()->GetSubsystem<UNetClockStart>();
	// The plugin waits for players who are not ready, announces the start to all players in time, and calls
	// On Start on every machine.
	if (!Race || !Start || !Start->ScheduleStart(CountdownMs))
	{
		return;
	}
	Race->StartSeconds = -1.0;
	Race->Winner = 0;
	for (FNetClockSampleRunner& Runner : Race->Runners)
	{
		Runner.Hits = 0;
		Runner.Shots = 0;
	}
}

void ANetClockSampleGameMode::Tick(float DeltaSeconds)
{
	Super::Tick(DeltaSeconds);
	ANetClockSampleGameState* Race = GetGameState<ANetClockSampleGameState>();
	if (!Race)
	{
		return;
	}
	// The server's own world time is exact.
	const double WorldSeconds = GetWorld()->GetTimeSeconds();
	if (Race->IsRunning())
	{
		FindWinner(*Race, WorldSeconds);
	}
	else if (Race->Winner != 0 && WorldSeconds - Race->WonSeconds > RestSeconds &&
		Race->Runners.Num() >= ANetClockSampleGameState::PlayersToStart)
	{
		BeginRace();
	}
}

void ANetClockSampleGameMode::FindWinner(ANetClockSampleGameState& Race, double WorldSeconds) const
{
	const FNetClockSampleRunner* First = nullptr;
	for (const FNetClockSampleRunner& Runner : Race.Runners)
	{
		const bool bHasFinished =
			Race.GetMetres(Runner, WorldSeconds) >= ANetClockSampleGameState::RaceMetres;
		if (bHasFinished && (!First || Runner.Hits > First->Hits))
		{
			First = &Runner;
		}
	}
	if (First)
	{
		Race.Winner = First->Number;
		Race.WonSeconds = WorldSeconds;
	}
}

void ANetClockSampleGameMode::TogglePause(APlayerController* Player)
{
	if (GetWorld()->IsPaused())
	{
		ClearPause();
	}
	else
	{
		// Leave the delegate empty, because there is no condition for resuming.
		SetPause(Player, FCanUnpause());
	}
}

void ANetClockSampleGameMode::ToggleSlowMotion()
{
	bIsSlow = !bIsSlow;
	UGameplayStatics::SetGlobalTimeDilation(this, bIsSlow ? SlowMotion : 1.0f);
}

void ANetClockSampleGameMode::JudgeShot(ANetClockSamplePlayerController& Player, const FNetClockStamp& Stamp)
{
	ANetClockSampleGameState* Race = GetGameState<ANetClockSampleGameState>();
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const int32 Number = Player.Number;
	FNetClockSampleRunner* Runner = Race
		? Race->Runners.FindByPredicate(
			  [Number](const FNetClockSampleRunner& It) { return It.Number == Number; })
		: nullptr;
	if (!Runner || !Clock || !Race->IsRunning())
	{
		return;
	}
	// Find the server time that the player saw, the world time at that instant, and the target's position.
	FNetClockRewind Rewind;
	double SawSeconds = 0.0;
	const bool bIsKnown =
		UNetClockOrder::GetRewindTime(&Player, Stamp.ServerTicks, 0.0, JitterMs, MaxRewindMs, Rewind) &&
		Clock->GetWorldTimeAt(ENetClockWorldClock::World, Rewind.TargetTicks, SawSeconds);
	const bool bHits = bIsKnown && ANetClockSampleGameState::IsInSights(SawSeconds);
	++Runner->Shots;
	Runner->Hits += bHits ? 1 : 0;
	Player.ClientShotJudged(bHits, Rewind.BackMs);
}
