// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

/** The saved states with which later sessions start, in the library's format. Empty if there are none. */
struct FNetClockKnown
{
	/** The rate of this machine's clock. */
	TArray<uint8> Machine;
	/** The state of one server. */
	TArray<uint8> Server;
};

/** Stores these states in a small file below Saved/NetClock. The file is neither secret nor trusted, because
 * a damaged or wrong state is no worse than a missing one. */
namespace NetClock
{
	/** Returns the stored states of this machine and of the server at an address. */
	FNetClockKnown Recall(const FString& Address);

	/** Replaces both states. If the file cannot be written, nothing is stored. */
	void Remember(const FString& Address, const FNetClockKnown& Known);
}
