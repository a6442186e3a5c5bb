// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Start/NetClockStartTypes.h"

class FNetClockClient;
struct FGuid;
struct netclock_adoption;

/** A timescale on this machine's clock. */
struct FNetClockAdopted
{
	int64 Timescale = 0;
	/** What to add to LocalTicks(). */
	int64 OffsetTicks = 0;
	/** How far that may be off. */
	double DispersionMs = 0.0;
	/** Who answered, this machine itself included. */
	int32 Answers = 0;
};

/** Takes a timescale over for a server, from what this machine and its players know of it. Times are LocalTicks(). */
class FNetClockAdoption
{
public:
	/** Null if there is no library, or a number is out of range. */
	static TSharedPtr<FNetClockAdoption> Create(int64 Timescale, int32 Liars, const FGuid& Seed);

	explicit FNetClockAdoption(netclock_adoption* InHandle) : Handle(InHandle) {}
	~FNetClockAdoption();
	FNetClockAdoption(const FNetClockAdoption&) = delete;
	FNetClockAdoption& operator=(const FNetClockAdoption&) = delete;

	/** What this machine's clock of the previous server says is believed. False if it knows nothing certain. */
	bool Trust(const FNetClockClient& Client, int64 Now);

	/** What an outside source says now is believed. False if it is out of range. */
	bool Trust(int64 OutsideTicks, double ErrorBoundMs, int64 Now);

	/** False if no question to this player is due. */
	bool Ask(int32 Player, int64 Now, FNetClockDatagram& Question);

	/** What a player answered; what makes no sense changes nothing. */
	void Hear(int32 Player, const FNetClockDatagram& Answer, int64 Arrived);

	/** Continued, or why not. */
	ENetClockContinuation Settle(int64 Now, FNetClockAdopted& Adopted) const;

private:
	netclock_adoption* Handle;
};
