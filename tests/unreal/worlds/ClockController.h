// A game's controller whose class already contains a clock component.
#pragma once

#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "ClockController.generated.h"

UCLASS()
class AClockController : public APlayerController
{
	GENERATED_BODY()

public:
	AClockController() { NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock")); }

private:
	UPROPERTY()
	TObjectPtr<UNetClockComponent> NetClock;
};
