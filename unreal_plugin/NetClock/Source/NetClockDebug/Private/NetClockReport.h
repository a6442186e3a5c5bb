// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"

class UWorld;

struct FNetClockPlayerReport
{
	FString Name;
	int64 Answered = 0;
	int64 Dropped = 0;
};

/** A report about one world's clock in one frame. Each tool displays a part of it. */
struct FNetClockReport
{
	ENetMode NetMode = NM_Standalone;
	bool bReplay = false;
	bool bWorldTimeKnown = false;
	/** It is false if the library is missing, in which case a server cannot serve its clock. */
	bool bHasLibrary = false;
	FNetClockStatus Status;
	/** When the status was read, according to this machine's clock. */
	int64 LocalTicks = 0;
	FNetClockWorldReading World;

	TArray<FString> Further;

	/** A client's counters for this connection. */
	int64 ProbesSent = 0;
	int64 RepliesRefused = 0;

	/** True if a client's clock started from the saved state of this machine or of this server. */
	bool bKnewMachine = false;
	bool bKnewServer = false;

	/** A server's players. */
	TArray<FNetClockPlayerReport> Players;

	/** Describes the latest file of a recording. Empty if there is no recording. */
	FString Recording;

	/** Returns false if the world has no clock because it does not belong to a game. */
	static bool Of(const UWorld* InWorld, FNetClockReport& Report, bool bWithPlayers = false);

	bool IsClient() const { return NetMode == NM_Client && !bReplay; }
	bool IsServer() const { return NetMode == NM_DedicatedServer || NetMode == NM_ListenServer; }

	TArray<FString> ToLines() const;
};
