// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** Includes all public headers of this module. The other modules have their own headers. */

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Exchange/NetClockExchange.h"
#include "NetClock/Wait/NetClockWaits.h"
#include "NetClock/World/NetClockGameState.h"
#include "NetClock/World/NetClockWorldTypes.h"
