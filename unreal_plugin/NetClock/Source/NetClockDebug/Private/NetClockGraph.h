// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockGraph.generated.h"

class APlayerController;
class UCanvas;
class UWorld;
struct FLinearColor;

/**
 * Draws the last 30 s of a client's clock on the screen, with its latest events. It also collects samples
 * while it is hidden, so that it can show what happened before it was enabled. The graph does not exist in
 * Shipping builds.
 */
UCLASS()
class UNetClockGraph : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void OnWorldBeginPlay(UWorld& InWorld) override;
	virtual void Deinitialize() override;

protected:
	virtual bool DoesSupportWorldType(const EWorldType::Type WorldType) const override;

private:
	struct FSample
	{
		int64 LocalTicks = 0;
		FNetClockStatus Status;
		/** How much the displayed time was corrected since the previous sample, in ms. */
		double CorrectionMs = 0.0;
		bool bJumped = false;
	};

	/** An event of the clock, with the wording and colours of a `lab report` page. */
	struct FVerdict
	{
		int64 LocalTicks = 0;
		const FLinearColor* Color = nullptr;
		FString Text;
	};

	/** Takes one sample every 200 ms. */
	void OnFrameEnded(UWorld* World);
	void OnIncident(const FNetClockIncident& Incident);
	void OnDraw(UCanvas* Canvas, APlayerController* Player);
	void Draw(UCanvas& Canvas) const;
	void DrawCurve(UCanvas& Canvas, double FNetClockStatus::* Value, const FLinearColor& Color) const;
	void DrawCorrections(UCanvas& Canvas) const;
	const FSample& At(int32 Index) const { return Samples[(Oldest + Index) % Samples.Num()]; }
	double X(int32 Index) const;

	TArray<FSample> Samples;
	int32 Oldest = 0;
	/** From oldest to newest. */
	TArray<FVerdict> Verdicts;
	FDelegateHandle FrameHandle;
	FDelegateHandle DrawHandle;
};
