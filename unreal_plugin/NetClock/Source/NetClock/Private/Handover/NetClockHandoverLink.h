// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Base/NetClockBudget.h"
#include "NetClock/Base/NetClockDatagram.h"

class FNetClockClient;

/** One player's part in a handover: the server's question, and the answer at the end of the frame. */
class FNetClockHandoverLink
{
public:
	/** Client: a question arrived. A newer one replaces it. */
	void Receive(const FNetClockDatagram& Asked);

	/** Client, end of the frame: the answer to the question of this frame. False if there is none. */
	bool TakeAnswer(const FNetClockClient& Client, int64 Now, FNetClockDatagram& Answer);

	/** Server: counts an answer of the player. False if it is to be dropped. */
	bool Admit(int64 Now);

private:
	FNetClockDatagram Question;
	bool bIsAsked = false;
	FNetClockBudget Budget;
};
