// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Exchange/NetClockPlayerController.h"

#include "NetClock/Exchange/NetClockComponent.h"

ANetClockPlayerController::ANetClockPlayerController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}
