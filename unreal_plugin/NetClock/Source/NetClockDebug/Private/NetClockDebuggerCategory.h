// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

#if WITH_GAMEPLAY_DEBUGGER

#include "GameplayDebuggerCategory.h"
#include "NetClockReport.h"

class AActor;
class APlayerController;

/** NetClock's gameplay debugger category. It shows the server's replicated data above the client's status. */
class FNetClockDebuggerCategory : public FGameplayDebuggerCategory
{
public:
	FNetClockDebuggerCategory();

	static TSharedRef<FGameplayDebuggerCategory> MakeInstance();

	virtual void CollectData(APlayerController* OwnerPC, AActor* DebugActor) override;
	virtual void DrawData(APlayerController* OwnerPC, FGameplayDebuggerCanvasContext& CanvasContext) override;

private:
	struct FServerView
	{
		int64 ServerTicks = 0;
		int64 ServerEpoch = 0;
		TArray<FNetClockPlayerReport> Players;

		void Serialize(FArchive& Ar);
	};

	FServerView View;
};

#endif // WITH_GAMEPLAY_DEBUGGER
