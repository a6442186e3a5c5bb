// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Handover/NetClockHandoverLink.h"

#include "Clock/NetClockBackend.h"

namespace
{
	/** Answers that the server reads of one player. It asks every 250 ms at most. */
	constexpr double AnswersPerSecond = 8.0;
	constexpr double AnswersInARow = 8.0;
}

void FNetClockHandoverLink::Receive(const FNetClockDatagram& Asked)
{
	Question = Asked;
	bIsAsked = true;
}

bool FNetClockHandoverLink::TakeAnswer(const FNetClockClient& Client, int64 Now, FNetClockDatagram& Answer)
{
	const bool bAnswers = bIsAsked && Client.AnswerAdoption(Question, Now, Answer);
	bIsAsked = false;
	return bAnswers;
}

bool FNetClockHandoverLink::Admit(int64 Now)
{
	return Budget.Spend(Now, AnswersInARow, AnswersPerSecond);
}
