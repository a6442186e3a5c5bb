// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"

/** Something that happened to a client's clock, for tools that show it. Games use the events of
 * UNetClockSubsystem. */
struct FNetClockIncident
{
	enum class EKind : uint8
	{
		/** There is a server time to show. */
		Synced,
		/** Another server shows the same timescale, and the clock continues. */
		HandedOver,
		/** As OnDiscontinuity: Cause, and AfterMs is the jump. */
		Discontinuity,
		/** As OnDegraded: Degradation. */
		Degraded,
		/** As OnLatencyChanged: Direction, BeforeMs, AfterMs. */
		LatencyChanged
	};

	EKind Kind = EKind::Synced;
	ENetClockCause Cause = ENetClockCause::None;
	ENetClockDegradation Degradation = ENetClockDegradation::None;
	ENetClockDirection Direction = ENetClockDirection::ToServer;
	double BeforeMs = 0.0;
	double AfterMs = 0.0;
};
