// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClockDebugSubsystem.generated.h"

class APlayerController;
class FNetClockGraph;
class UCanvas;
class UWorld;

/** Shows each frame of one world in the statistics and on the graph. There is none in Shipping builds. */
UCLASS()
class UNetClockDebugSubsystem : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	void OnFrameEnded(UWorld* World);
	void DrawGraph(UCanvas* Canvas, APlayerController* Player);

	TSharedPtr<FNetClockGraph> Graph;
	FDelegateHandle FrameHandle;
	FDelegateHandle DrawHandle;
};
