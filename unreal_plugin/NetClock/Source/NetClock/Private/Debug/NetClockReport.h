// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Clock/NetClockTypes.h"

class UWorld;

/** One player, as the server sees him. */
struct FNetClockPlayerReport
{
	FString Name;
	int64 Answered = 0;
	int64 Dropped = 0;
};

/** What there is to be said of the clock of one world, in one frame: what every tool shows some of. */
struct FNetClockReport
{
	ENetMode NetMode = NM_Standalone;
	bool bReplay = false;
	bool bWorldTimeKnown = false;
	FNetClockStatus Status;
	/** This machine's clock when the status was read. */
	int64 LocalTicks = 0;
	FNetClockWorldReading World;

	/** A client's, on this connection. */
	int64 ProbesSent = 0;
	int64 RepliesRefused = 0;

	/** A server's: all players, and in the newest frame. */
	TArray<FNetClockPlayerReport> Players;
	int32 AnsweredInFrame = 0;
	int32 DroppedInFrame = 0;

	/** The newest file of a recording, and what is in it; empty if there is none. */
	FString Recording;
	int64 RecordedExchanges = 0;

	/** False if the world has no clock: it belongs to no game. Players are left out unless they are asked for. */
	static bool Of(const UWorld* World, FNetClockReport& Report, bool bWithPlayers = false);

	bool IsClient() const { return NetMode == NM_Client && !bReplay; }
	bool IsServer() const { return NetMode == NM_DedicatedServer || NetMode == NM_ListenServer; }

	/** For people to read. */
	TArray<FString> ToLines() const;
};

namespace NetClock
{
	/** With three digits and the unit, or that it is not known. */
	FString MsText(double Ms);

	const TCHAR* StateText(ENetClockState State);
}
