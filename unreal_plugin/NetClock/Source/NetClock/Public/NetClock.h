// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** All of the plugin's public headers. */

#include "NetClockBlueprintLibrary.h"
#include "NetClockComponent.h"
#include "NetClockGameState.h"
#include "NetClockGameStateBase.h"
#include "NetClockHandover.h"
#include "NetClockHandoverTypes.h"
#include "NetClockNodes.h"
#include "NetClockOrder.h"
#include "NetClockPeer.h"
#include "NetClockPeerTypes.h"
#include "NetClockPlayerController.h"
#include "NetClockRelay.h"
#include "NetClockSession.h"
#include "NetClockSettings.h"
#include "NetClockStart.h"
#include "NetClockStartTypes.h"
#include "NetClockSubsystem.h"
#include "NetClockTypes.h"
#include "NetClockVersion.h"
#include "NetClockWaitForStart.h"
#include "NetClockWaitUntil.h"
#include "NetClockWaits.h"
