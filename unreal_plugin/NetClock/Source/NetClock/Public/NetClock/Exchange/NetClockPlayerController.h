// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClockPlayerController.generated.h"

class UNetClockComponent;

/**
 * A PlayerController that brings its clock component. You do not need it, because UNetClockExchange adds a
 * component to every PlayerController. With this class it is there a moment earlier.
 */
UCLASS()
class NETCLOCK_API ANetClockPlayerController : public APlayerController
{
	GENERATED_BODY()

public:
	ANetClockPlayerController();

	/** The clock component. */
	UNetClockComponent* GetNetClock() const { return NetClock; }

private:
	UPROPERTY(VisibleAnywhere, Category = "NetClock")
	TObjectPtr<UNetClockComponent> NetClock;
};
