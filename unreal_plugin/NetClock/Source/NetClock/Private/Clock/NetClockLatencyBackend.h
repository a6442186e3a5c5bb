// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"

class FNetClockClient;
struct netclock_latency;

/** Client: watches the delays of its connection, by the exchanges of its clock. */
class FNetClockLatency : public TNetClockOwner<netclock_latency>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockLatency> Create();

	using TNetClockOwner::TNetClockOwner;

	/** Learns from the newest exchange. Call it after each accepted reply. */
	void Follow(const FNetClockClient& Client);

	/** The next change, which stayed. False if there is none. */
	bool NextChange(FNetClockIncident& Change);

	/** How fast to play to hide a change, and the sum of the time that this added so far, in ms. */
	void ReadSpeed(int64 Now, double& Scale, double& ShiftMs) const;
};
