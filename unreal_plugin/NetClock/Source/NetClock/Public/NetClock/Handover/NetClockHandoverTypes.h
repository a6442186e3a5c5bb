// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockHandoverTypes.generated.h"

/** The result of continuing the time of a previous server. */
UENUM(BlueprintType)
enum class ENetClockContinuation : uint8
{
	/** Nobody requested it. */
	None,
	/** This machine keeps showing the time. The next server decides whether it continues; if this machine
	 * becomes the server, it will. */
	Kept,
	/** Server: it asks players for the time. It tells nobody the time meanwhile. */
	Asking,
	/** Server: it continues the previous server's time and tells all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Not done: this machine does not know a previous server's time. */
	NotSynced,
	/** Not done: too few players answered. */
	TooFew,
	/** Not done: the answers contradict each other, by more players than may be wrong. */
	NoAgreement,
	/** Not done: a number is out of range, or the dispersion is too large to state. */
	OutOfRange,
	/** Not done: this server has told players its own time already, or has prepared a start. */
	TooLate,
	/** Client: the new server serves another time, and a new clock began. */
	OtherServer,
	/** Not done: the NetClock library is missing on this machine. The log says why. */
	NoLibrary
};

/** Says whose time a server serves: a run of its clock, the timescale, and how far the clock may be off
 * it. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockAuthority
{
	GENERATED_BODY()

	/** Identifies the run of the server's clock. Zero: not known. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Identifies the timescale: the epoch of the first server that served it, or a number that you gave to a
	 * fleet. It may be older than the server. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** Dispersion: how far the server's clock may be off the timescale, in ms. Handovers and drift add to
	 * it. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};
