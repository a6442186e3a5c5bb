// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockWorldSubsystem.generated.h"

/** Base class of NetClock's world subsystems. They exist only in game worlds and can hook into a world's
 * frames. */
UCLASS(Abstract)
class NETCLOCK_API UNetClockWorldSubsystem : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

	/** Enables or disables the calls to BeforeActors(). */
	void FollowFrames(bool bFollow);
	/** Called every frame, after this world has read its packets and before its actors tick. */
	virtual void BeforeActors() {}

private:
	void OnPreActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);

	FDelegateHandle PreActorTickHandle;
};
