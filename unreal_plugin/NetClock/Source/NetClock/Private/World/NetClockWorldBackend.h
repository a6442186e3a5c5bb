// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"

struct netclock_publisher;
struct netclock_timeline;

/** Server: finds out how a clock of its world follows from real time, and when that is to be published anew. */
class FNetClockPublisher
{
public:
	/** For a world of that number, in that run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockPublisher> Create(int64 Epoch, int32 World);

	explicit FNetClockPublisher(netclock_publisher* InHandle) : Handle(InHandle) {}
	~FNetClockPublisher();
	FNetClockPublisher(const FNetClockPublisher&) = delete;
	FNetClockPublisher& operator=(const FNetClockPublisher&) = delete;

	/** What the clock says in the frame that began at RealTicks, and how it goes on: Rate is zero if it stands. True if there is a new segment. */
	bool Observe(int64 RealTicks, double Seconds, double Rate, FNetClockWorldSegment& Segment);

private:
	netclock_publisher* Handle;
};

/** What was published of one clock: from the server's real time to its world's and back. */
class FNetClockTimeline
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockTimeline> Create();

	explicit FNetClockTimeline(netclock_timeline* InHandle) : Handle(InHandle) {}
	~FNetClockTimeline();
	FNetClockTimeline(const FNetClockTimeline&) = delete;
	FNetClockTimeline& operator=(const FNetClockTimeline&) = delete;

	/** False if it was refused. */
	bool Insert(const FNetClockWorldSegment& Segment);

	/** That version was the newest one up to RealTicks. */
	void Confirm(int64 Epoch, int32 World, int32 Version, int64 RealTicks);

	/** What is to be shown at a time of the client's clock. Never earlier than before, within a world. */
	FNetClockWorldReading Show(const FNetClockStatus& Status);

	/** False if that is not known. */
	bool WorldAt(int64 Epoch, int64 RealTicks, double& Seconds) const;
	bool RealAt(int64 Epoch, double Seconds, int64& RealTicks) const;

private:
	netclock_timeline* Handle;
};
