// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

/** All of the plugin's public headers. */

#include "Exchange/NetClockBlueprintLibrary.h"
#include "Exchange/NetClockComponent.h"
#include "World/NetClockGameState.h"
#include "World/NetClockGameStateBase.h"
#include "Handover/NetClockHandover.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Clock/NetClockNodes.h"
#include "Order/NetClockOrder.h"
#include "Peer/NetClockPeer.h"
#include "Peer/NetClockPeerTypes.h"
#include "Exchange/NetClockPlayerController.h"
#include "Peer/NetClockRelay.h"
#include "Clock/NetClockSession.h"
#include "Clock/NetClockSettings.h"
#include "Start/NetClockStart.h"
#include "Start/NetClockStartTypes.h"
#include "Clock/NetClockSubsystem.h"
#include "Clock/NetClockTypes.h"
#include "Base/NetClockVersion.h"
#include "Start/NetClockWaitForStart.h"
#include "Wait/NetClockWaitUntil.h"
#include "Wait/NetClockWaits.h"
