// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"

/** The saved states that sessions start from, in the library's format. A state is empty if there is none. */
struct FNetClockKnown
{
	/** The rate of this machine's clock. */
	TArray<uint8> Machine;
	/** The state of one server. */
	TArray<uint8> Server;
};

/** Keeps these states in a small file in Saved/NetClock. The file is neither secret nor trusted. A damaged or
 * wrong state does no more harm than no state. */
namespace NetClock
{
	FNetClockKnown Recall(const FString& Address);

	/** Replaces both states. Does nothing if the file cannot be written. */
	void Remember(const FString& Address, const FNetClockKnown& Known);
}
