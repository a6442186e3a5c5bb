// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "NetClock/Utc/NetClockUtc.h"

struct netclock_server_utc;
struct netclock_utc_publisher;

/** This machine's UTC and its monotonic clock at one instant. */
struct FNetClockUtcSample
{
	int64 LocalTicks = 0;
	/** Since 1970. */
	int64 UtcTicks = 0;
	/** How far the two instants may be apart. */
	int64 UncertaintyTicks = 0;
};

namespace NetClock
{
	/** False if there is no library, or this machine has no UTC. */
	bool ReadUtc(FNetClockUtcSample& Sample);
}

/** Server: decides when to claim UTC again. */
class FNetClockUtcPublisher : public TNetClockOwner<netclock_utc_publisher>
{
public:
	/** For one run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockUtcPublisher> Create(int64 Epoch);

	using TNetClockOwner::TNetClockOwner;

	/** Takes what was read at a server time. BoundTicks is that of the machine's source of time. True if
	 * there is a new claim. */
	bool Observe(
		int64 ServerTicks, const FNetClockUtcSample& Sample, int64 BoundTicks, FNetClockUtcClaim& Claim);
};

/** What is known of a server's UTC. */
class FNetClockServerUtc : public TNetClockOwner<netclock_server_utc>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockServerUtc> Create();

	using TNetClockOwner::TNetClockOwner;

	/** True if it is news. JumpTicks: how far UTC jumps. bFirst: nothing was known of that run of the
	 * server's clock. */
	bool Insert(const FNetClockUtcClaim& Claim, int64& JumpTicks, bool& bFirst);

	/** UTC, in ticks since 1970. False if it is unknown. */
	bool Read(const FNetClockStatus& Status, int64& UtcTicks, double& ErrorBoundMs) const;

	/** When the server's clock reads that UTC. False if it is unknown. */
	bool ServerTicksAt(int64 Epoch, int64 UtcTicks, int64& ServerTicks) const;
};
