// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "NetClock/World/NetClockWorldTypes.h"

struct netclock_publisher;
struct netclock_timeline;

/** Server: describes how a clock of its world runs against real time, and decides when to publish a new
 * segment. */
class FNetClockPublisher : public TNetClockOwner<netclock_publisher>
{
public:
	/** For one world, and one run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockPublisher> Create(int64 Epoch, int32 World);

	using TNetClockOwner::TNetClockOwner;

	/** Takes the time of the clock in the frame that began at RealTicks. Rate is zero if the clock stands
	 * still. True if there is a new segment. */
	bool Observe(int64 RealTicks, double Seconds, double Rate, FNetClockWorldSegment& Segment);

	/** The last observed frame in which the newest segment was right, in ticks. The server can promise
	 * nothing later. Zero before the first frame. */
	int64 GetThroughTicks() const;
};

/** The segments of one clock. Converts the server's real time to its world time, and back. */
class FNetClockTimeline : public TNetClockOwner<netclock_timeline>
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockTimeline> Create();

	using TNetClockOwner::TNetClockOwner;

	/** False if it was refused. */
	bool Insert(const FNetClockWorldSegment& Segment);

	/** That version was still right at ThroughTicks. */
	void Confirm(int64 Epoch, int32 World, int32 Version, int64 ThroughTicks);

	/** The reading to show at a time of the client's clock. Within a world it never goes backwards. */
	FNetClockWorldReading Show(const FNetClockStatus& Status);

	/** The segment as the library's datagram, as recordings have it. Empty if it is invalid. */
	static TArray<uint8> DatagramOf(const FNetClockWorldSegment& Segment);

	/** Convert between the two times. False if it is not known. */
	bool WorldAt(int64 Epoch, int64 RealTicks, double& Seconds) const;
	bool RealAt(int64 Epoch, double Seconds, int64& RealTicks) const;
};
