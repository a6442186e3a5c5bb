// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Misc/EngineVersionComparison.h"

/** Differences between engine versions. All of them are in this file. */

// AGameStateBase::GetServerWorldTimeSeconds() returned float up to 5.0.
#if UE_VERSION_OLDER_THAN(5, 1, 0)
using FNetClockWorldSeconds = float;
#else
using FNetClockWorldSeconds = double;
#endif
