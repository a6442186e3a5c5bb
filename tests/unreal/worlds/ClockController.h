// The controller of a game that has a clock component in its class.
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
