// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"

class FNetClockClient;
struct netclock_latency;

/** A direction's delays became others, and stayed so. */
struct FNetClockLatencyChange
{
	ENetClockDirection Direction = ENetClockDirection::ToServer;
	double BeforeMs = 0.0;
	double AfterMs = 0.0;
};

/** Client: watches the delays of its connection through the exchanges of its clock. */
class FNetClockLatency
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockLatency> Create();

	explicit FNetClockLatency(netclock_latency* InHandle) : Handle(InHandle) {}
	~FNetClockLatency();
	FNetClockLatency(const FNetClockLatency&) = delete;
	FNetClockLatency& operator=(const FNetClockLatency&) = delete;

	/** Learns from the newest exchange. To be called after each reply that was accepted. */
	void Follow(const FNetClockClient& Client);

	/** True if there was one. */
	bool NextChange(FNetClockLatencyChange& Change);

	/** How fast to play to hide a change, and by how much more than the time that passed to have played in all, in ms. */
	void ReadSpeed(int64 Now, double& Scale, double& ShiftMs) const;

private:
	netclock_latency* Handle;
};
