// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Clock/NetClockTypes.h"
#include "NetClockHandoverTypes.generated.h"

/** What became of going on with the time of a server that is gone. */
UENUM(BlueprintType)
enum class ENetClockContinuation : uint8
{
	/** Nobody asked for it. */
	None,
	/** The time goes on to be shown here: the next server shows whether it has it too; if this machine is that server, it will. */
	Kept,
	/** Server: players are asked what time it is. Nobody is told the time meanwhile. */
	Asking,
	/** This server shows the previous one's time and says so to all clients. */
	Continued,
	/** Client: the server of the new connection goes on with the time. */
	Followed,
	/** Not done: this machine knows no previous server's time. */
	NotSynced,
	/** Not done: too few players said what time it is. */
	TooFew,
	/** Not done: what is said of the time contradicts itself, by more players than may be wrong. */
	NoAgreement,
	/** Not done: a number is out of its range, or the time is known too badly to say how badly. */
	OutOfRange,
	/** Not done: this server has told players its own time already, or prepares a start by it. */
	TooLate,
	/** Client: the server of the new connection shows another time, and a new clock began. */
	OtherServer,
	/** Not done: there is no NetClock library here; the log says why. */
	NoLibrary
};

/** A run of a server's clock, and of which timescale it shows how much: that may be older than the server. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockAuthority
{
	GENERATED_BODY()

	/** The run of the server's clock; zero: nobody said anything. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Name of the timescale: that of the first server that showed it, or a number given to a fleet. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** The server's clock may be off the timescale by so much, in ms: what handovers cost, and drift since. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};
