// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockPlayerController.h"

#include "Exchange/NetClockComponent.h"

ANetClockPlayerController::ANetClockPlayerController()
{
	NetClock = CreateDefaultSubobject<UNetClockComponent>(TEXT("NetClock"));
}
