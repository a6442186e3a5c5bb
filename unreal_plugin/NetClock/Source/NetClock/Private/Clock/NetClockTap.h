// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Clock/NetClockRecorder.h"
#include "CoreMinimal.h"
#include "HAL/CriticalSection.h"
#include "Misc/ScopeLock.h"

/** Exchanges on their way to the recorder. The link's thread has them, too, and the recorder is for the game
 * thread alone. */
class FNetClockTap
{
public:
	/** On any thread: an exchange. */
	void Add(const FNetClockSample& Sample)
	{
		FScopeLock Lock(&Section);
		Samples.Add(Sample);
	}

	/** All since the last call. */
	TArray<FNetClockSample> Take()
	{
		FScopeLock Lock(&Section);
		TArray<FNetClockSample> Taken = MoveTemp(Samples);
		Samples.Reset();
		return Taken;
	}

private:
	FCriticalSection Section;
	TArray<FNetClockSample> Samples;
};
