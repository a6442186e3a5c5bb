// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "World/NetClockWorldBackend.h"
#include "NetClock/World/NetClockWorldTypes.h"

class UWorld;

/** The clocks of one world that pause or are dilated. A server publishes them. A client computes them from
 * the server's real time. */
class FNetClockWorldClocks
{
public:
	static constexpr int32 Num = 3;

	/** Server: for one world, and one run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockWorldClocks> CreateForServer(int64 Epoch, int32 World);

	/** Client: without segments yet. Null if there is no library. */
	static TSharedPtr<FNetClockWorldClocks> CreateForClient();

	/** World seconds per real second of a clock. Zero if it stands still. */
	static double RateOf(const UWorld& World, ENetClockWorldClock Clock);

	/** Server: reads the clocks in the frame that began at FrameTicks. One bit for each clock with a new
	 * segment. */
	uint32 Publish(const UWorld& World, int64 FrameTicks);

	/** Client: takes a segment. False if it was refused. */
	bool Learn(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** Client: Published was all that there is to know, up to the server's real time Through, in ticks. */
	void Confirm(const FNetClockWorldKnowledge& Published, int64 Epoch, int64 Through);

	/** Client, start of the frame: computes what all readers get in this frame. */
	void Show(const FNetClockStatus& Status);

	const FNetClockWorldReading& GetReading(ENetClockWorldClock Clock) const { return At(Clock).Reading; }
	const FNetClockWorldSegment& GetSegment(ENetClockWorldClock Clock) const { return At(Clock).Segment; }
	FNetClockWorldKnowledge GetKnowledge() const;

	/** Server: the last frame in which all newest segments were right, in ticks of its real time. */
	int64 GetThroughTicks() const { return ThroughTicks; }

	/** The time of a clock at one of the server's real times. False if it is not known. */
	bool WorldAt(ENetClockWorldClock Clock, int64 RealTicks, double& Seconds) const;

	/** The server's real time at which a clock shows a time. False if it is not known. */
	bool RealAt(ENetClockWorldClock Clock, double Seconds, int64& RealTicks) const;

private:
	struct FOne
	{
		/** On a server only. */
		TSharedPtr<FNetClockPublisher> Publisher;
		/** On a client, and on a server for the past. */
		TSharedPtr<FNetClockTimeline> Timeline;
		FNetClockWorldSegment Segment;
		FNetClockWorldReading Reading;
		/** The engine's time, with more digits if that is a float. */
		double Seconds = 0.0;
	};

	const FOne& At(ENetClockWorldClock Clock) const { return Clocks[static_cast<int32>(Clock)]; }
	/** Said is the engine's time, Passed what it advanced in this frame. Returns the bit of this clock if
	 * there is a new segment. */
	uint32 PublishOne(ENetClockWorldClock Clock, int64 FrameTicks, double Said, double Passed, double Rate);

	FOne Clocks[Num];
	/** Client: what there is to know by the newest reply, whose it was, and until when it was so, in
	 * ticks. */
	FNetClockWorldKnowledge Announced;
	int64 AnnouncedEpoch = 0;
	int64 AnnouncedThrough = 0;
	int64 LastFrameTicks = 0;
	int64 ThroughTicks = 0;
};
