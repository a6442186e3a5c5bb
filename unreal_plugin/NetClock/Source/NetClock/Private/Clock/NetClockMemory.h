// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

/** What a session learnt that later ones begin with, as the library saves it. Empty: nothing. */
struct FNetClockKnown
{
	/** How fast this machine's clock runs. */
	TArray<uint8> Machine;
	/** What belongs to one server. */
	TArray<uint8> Server;
};

/**
 * Keeps that in a small file below Saved/NetClock: one state for this machine, and one for each of the newest
 * servers. The file is no secret and needs no trust: a state that is damaged or wrong costs no more than
 * none.
 */
namespace NetClock
{
	/** What is known of this machine, and of the server at an address. */
	FNetClockKnown Recall(const FString& Address);

	/** Replaces what is known of both. Without a disk to write to, nothing is kept. */
	void Remember(const FString& Address, const FNetClockKnown& Known);

	/** Now, by a calendar that outlives the process, in seconds. */
	int64 CalendarSeconds();
}
