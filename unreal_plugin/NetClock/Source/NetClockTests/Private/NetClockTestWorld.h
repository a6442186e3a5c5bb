// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/Engine.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClock/World/NetClockGameState.h"

/** A separate game without a server, which the test ticks itself. The game ends when this object is
 * destroyed. */
class FNetClockTestWorld
{
public:
	FNetClockTestWorld()
	{
		Game = NewObject<UGameInstance>(GEngine);
		Game->AddToRoot();
		Game->InitializeStandalone();
		World = Game->GetWorld();
		World->InitializeActorsForPlay(FURL());
		World->BeginPlay();
		State = World->SpawnActor<ANetClockGameStateBase>();
		World->SetGameState(State);
	}

	~FNetClockTestWorld()
	{
		Game->Shutdown();
		GEngine->DestroyWorldContext(World);
		World->DestroyWorld(false);
		Game->RemoveFromRoot();
	}

	FNetClockTestWorld(const FNetClockTestWorld&) = delete;
	FNetClockTestWorld& operator=(const FNetClockTestWorld&) = delete;

	/** Runs a frame that takes this many seconds of world time. */
	void Frame(float Seconds = 1.0f / 60.0f) { World->Tick(LEVELTICK_All, Seconds); }

	UGameInstance* Game = nullptr;
	UWorld* World = nullptr;
	ANetClockGameStateBase* State = nullptr;
};
