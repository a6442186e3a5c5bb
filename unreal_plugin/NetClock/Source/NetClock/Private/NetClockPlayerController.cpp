// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockPlayerController.h"

#include "NetClockComponent.h"

ANetClockPlayerController::ANetClockPlayerController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}
