// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClockDebugSubsystem.generated.h"

class APlayerController;
class FNetClockGraph;
class UCanvas;
class UWorld;
struct FNetClockReport;

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
	void UpdateReadOut(const FNetClockReport& Report);
	void DrawGraph(UCanvas* Canvas, APlayerController* Player);

	void DrawReadOut(UCanvas& Canvas) const;

	TSharedPtr<FNetClockGraph> Graph;
	/** What is shown when a client is synced, until when, in local ticks, and whether it was in the last frame. */
	FString ReadOut;
	int64 ReadOutUntilTicks = 0;
	int64 FrameTicks = 0;
	bool bWasSynced = false;
	FDelegateHandle FrameHandle;
	FDelegateHandle DrawHandle;
};
