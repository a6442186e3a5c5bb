// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Subsystems/WorldSubsystem.h"
#include "NetClockWorldSubsystem.generated.h"

/** Base class of NetClock's world subsystems, which exist only in game worlds. A subclass can run code in
 * every frame of its world. */
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
	/** Called in every frame, after this world has read its packets and before its actors tick. */
	virtual void BeforeActors() {}

private:
	void OnPreActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);

	FDelegateHandle PreActorTickHandle;
};
