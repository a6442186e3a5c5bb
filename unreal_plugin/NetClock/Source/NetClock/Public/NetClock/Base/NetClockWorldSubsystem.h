// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockWorldSubsystem.generated.h"

/** The base class of NetClock's world subsystems, which exist in game worlds only and can follow a world's
 * frames. */
UCLASS(Abstract)
class NETCLOCK_API UNetClockWorldSubsystem : public UWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

	/** Enables or disables calls of BeforeActors(). */
	void FollowFrames(bool bFollow);
	/** Called in each frame of this world, after packets have been read and before its actors tick. */
	virtual void BeforeActors() {}

private:
	void OnPreActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);

	FDelegateHandle PreActorTickHandle;
};
