// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

/** The state that later sessions start with, as the library saves it. Empty if there is none. */
struct FNetClockKnown
{
	/** The rate of this machine's clock. */
	TArray<uint8> Machine;
	/** The state of one server. */
	TArray<uint8> Server;
};

/**
 * Stores these states in a small file below Saved/NetClock: one for this machine, and one for each of the
 * latest servers. The file is neither secret nor trusted: a damaged or wrong state does no more harm than a
 * missing one.
 */
namespace NetClock
{
	/** Returns the stored states of this machine and of the server at an address. */
	FNetClockKnown Recall(const FString& Address);

	/** Replaces both states. If the file cannot be written, nothing is stored. */
	void Remember(const FString& Address, const FNetClockKnown& Known);

	/** Returns the current date, in seconds, to compare with the date of earlier sessions. */
	int64 CalendarSeconds();
}
