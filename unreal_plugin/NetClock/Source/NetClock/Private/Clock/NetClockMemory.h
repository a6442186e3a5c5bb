// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

/** The saved states that a new session starts from, in the library's format. If a state is missing, its array
 * is empty. */
struct FNetClockKnown
{
	/** The rate of this machine's clock. */
	TArray<uint8> Machine;
	/** The state of one server. */
	TArray<uint8> Server;
};

/** Stores these states in a small file in Saved/NetClock. The file contains no secrets, and its contents are
 * not trusted. A damaged or wrong state does no more harm than a missing one. */
namespace NetClock
{
	FNetClockKnown Recall(const FString& Address);

	/** Replaces both states. Does nothing if the file cannot be written. */
	void Remember(const FString& Address, const FNetClockKnown& Known);
}
