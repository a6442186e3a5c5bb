// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"
#include "World/NetClockWorldBackend.h"

class UWorld;

/**
 * The clocks of one world that pause or are dilated. On a server they are published, on a client they follow from the
 * server's real time.
 */
class FNetClockWorldClocks
{
public:
	static constexpr int32 Num = 3;

	/** Server: for a world of that number, in that run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockWorldClocks> CreateForServer(int64 Epoch, int32 World);

	/** Client: that has heard of nothing yet. Null if there is no library. */
	static TSharedPtr<FNetClockWorldClocks> CreateForClient();

	/** World seconds per second of real time at which a clock of a world goes on; zero if it stands. */
	static double RateOf(const UWorld& World, ENetClockWorldClock Clock);

	/** Server: what the clocks say in the frame that began at FrameTicks. Says which have a new segment, one bit for each. */
	uint32 Publish(const UWorld& World, int64 FrameTicks);

	/** Client: what the server has published. False if it was refused. */
	bool Learn(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** Client: that was all that the server had published up to an instant of its real time, in ticks. */
	void Confirm(const FNetClockWorldKnowledge& Published, int64 Epoch, int64 RealTicks);

	/** Client, at the start of a frame: what all readers get from now on. */
	void Show(const FNetClockStatus& Status);

	const FNetClockWorldReading& GetReading(ENetClockWorldClock Clock) const { return At(Clock).Reading; }
	const FNetClockWorldSegment& GetSegment(ENetClockWorldClock Clock) const { return At(Clock).Segment; }
	FNetClockWorldKnowledge GetKnowledge() const;

	/** What a clock said, or will say, at an instant of the server's real time. False if that is not known. */
	bool WorldAt(ENetClockWorldClock Clock, int64 RealTicks, double& Seconds) const;

	/** When, in the server's real time, a clock said that, or will say it. False if that is not known. */
	bool RealAt(ENetClockWorldClock Clock, double Seconds, int64& RealTicks) const;

private:
	struct FOne
	{
		/** On a server. */
		TSharedPtr<FNetClockPublisher> Publisher;
		/** On a client; and on a server, to know what was. */
		TSharedPtr<FNetClockTimeline> Timeline;
		FNetClockWorldSegment Segment;
		FNetClockWorldReading Reading;
		/** What the engine says, with more digits if that is a float. */
		double Seconds = 0.0;
	};

	const FOne& At(ENetClockWorldClock Clock) const { return Clocks[static_cast<int32>(Clock)]; }
	/** Said is what the engine says, Passed what it passed in this frame. The bit of this clock if there is a new segment. */
	uint32 PublishOne(ENetClockWorldClock Clock, int64 FrameTicks, double Said, double Passed, double Rate);

	FOne Clocks[Num];
	int64 LastFrameTicks = 0;
};
