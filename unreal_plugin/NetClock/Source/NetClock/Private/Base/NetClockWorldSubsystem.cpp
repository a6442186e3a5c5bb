// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Base/NetClockWorldSubsystem.h"

#include "Engine/NetDriver.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "NetClock/Base/NetClockBase.h"

bool NetClock::IsReplay(const UWorld& World)
{
	const FLevelCollection* Beside =
		World.FindCollectionByType(ELevelCollectionType::DynamicDuplicatedLevels);
	return World.IsPlayingReplay() && !World.GetNetDriver() && !(Beside && Beside->GetGameState());
}

bool NetClock::IsClient(const UWorld* World)
{
	return World && World->GetNetMode() == NM_Client && !IsReplay(*World);
}

AGameStateBase* NetClock::GetLiveGameState(const UWorld& World)
{
	const FLevelCollection* Live = World.FindCollectionByType(ELevelCollectionType::DynamicSourceLevels);
	return Live ? Live->GetGameState() : World.GetGameState();
}

void UNetClockWorldSubsystem::Deinitialize()
{
	FollowFrames(false);
	Super::Deinitialize();
}

bool UNetClockWorldSubsystem::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return WorldType == EWorldType::Game || WorldType == EWorldType::PIE;
}

void UNetClockWorldSubsystem::FollowFrames(bool bFollow)
{
	if (bFollow && !PreActorTickHandle.IsValid())
	{
		PreActorTickHandle =
			FWorldDelegates::OnWorldPreActorTick.AddUObject(this, &UNetClockWorldSubsystem::OnPreActorTick);
	}
	else if (!bFollow && PreActorTickHandle.IsValid())
	{
		FWorldDelegates::OnWorldPreActorTick.Remove(PreActorTickHandle);
		PreActorTickHandle.Reset();
	}
}

// The engine broadcasts this delegate for every world in the process, including other PIE worlds.
void UNetClockWorldSubsystem::OnPreActorTick(UWorld* World, ELevelTick, float)
{
	if (World && World == GetWorld())
	{
		BeforeActors();
	}
}
