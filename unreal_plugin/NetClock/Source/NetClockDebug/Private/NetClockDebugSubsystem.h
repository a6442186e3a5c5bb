// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClockDebugSubsystem.generated.h"

class APlayerController;
class FNetClockGraph;
class UCanvas;
class UWorld;
class FNetClockVerdicts;
struct FNetClockIncident;

/** Feeds one world's frames to the graph. It does not exist in Shipping builds. */
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
	void OnIncident(const FNetClockIncident& Incident);
	void DrawGraph(UCanvas* Canvas, APlayerController* Player);
	void DrawReadOut(UCanvas& Canvas) const;

	TSharedPtr<FNetClockGraph> Graph;
	TSharedPtr<FNetClockVerdicts> Verdicts;
	/** The sync message's local end in ticks, its text, and whether the last frame was synced. */
	int64 ReadOutUntilTicks = 0;
	int64 FrameTicks = 0;
	double ReadOutBoundMs = 0.0;
	double ReadOutRoundTripMs = 0.0;
	bool bWasSynced = false;
	bool bListening = false;
	FDelegateHandle FrameHandle;
	FDelegateHandle IncidentHandle;
	FDelegateHandle DrawHandle;
};
