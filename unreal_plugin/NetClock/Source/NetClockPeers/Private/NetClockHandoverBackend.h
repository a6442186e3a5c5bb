// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Clock/NetClockTypes.h"

struct FGuid;
struct netclock_adoption;

/** A timescale, relative to this machine's clock. */
struct FNetClockAdopted
{
	int64 Timescale = 0;
	/** The timescale minus LocalTicks(). */
	int64 OffsetTicks = 0;
	/** How far OffsetTicks may be off, in ms. */
	double DispersionMs = 0.0;
	/** Number of answers, including this machine itself. */
	int32 Answers = 0;
};

/** Takes over a timescale for a server, from what this machine and its players know. Times are
 * LocalTicks(). */
class FNetClockAdoption : public TNetClockOwner<netclock_adoption>
{
public:
	/** Null if there is no library, or if a number is out of range. */
	static TSharedPtr<FNetClockAdoption> Create(int64 Timescale, int32 Liars, const FGuid& Seed);

	using TNetClockOwner::TNetClockOwner;

	/** Adds this machine's clock of the previous server, or an outside source, as it is now. False if it has
	 * no error bound, or if a number is out of range. */
	bool AddOwnReading(int64 OutsideTicks, double ErrorBoundMs, int64 Now);

	/** The question to a player. False if none is due. */
	bool MakeRequest(int32 Player, int64 Now, FNetClockDatagram& Question);

	/** The answer of a player. An invalid one changes nothing. */
	void HandleReply(int32 Player, const FNetClockDatagram& Answer, int64 Arrived);

	/** Continued, or the reason why not. */
	ENetClockContinuation Settle(int64 Now, FNetClockAdopted& Adopted) const;
};
