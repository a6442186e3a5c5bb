// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockLinkTypes.generated.h"

/** Whether the link works. */
UENUM(BlueprintType)
enum class ENetClockLinkState : uint8
{
	/** There is none: no port is set, this is no network game, or the NetClock library is missing. */
	Off,
	/** Client: its first requests are not answered yet. */
	Checking,
	/** Client: requests are answered. */
	Linked,
	/** Client: UDP does not pass. The clock uses the game's messages. It tries again every 30 s. */
	Blocked,
	/** Client: the connection to the server has no IP address, as with relayed sockets. The clock uses the
	 * game's messages. */
	NotPossible,
	/** Server: it answers at its port. */
	Serving,
	/** Server: no port of the range could be opened. The log says why. */
	NoPort
};

/** Where the stamps come from by which the clock is set. */
UENUM(BlueprintType)
enum class ENetClockStamps : uint8
{
	/** From the frames in which the game's messages are read. */
	Frames,
	/** From the link's thread, as soon as it wakes up. */
	Thread,
	/** From the system's kernel, when a datagram arrives. */
	Kernel
};

/** Everything about the link of this machine. */
USTRUCT(BlueprintType)
struct NETCLOCK_API FNetClockLinkStatus
{
	GENERATED_BODY()

	/** Whether it works. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockLinkState State = ENetClockLinkState::Off;

	/** Where its stamps come from. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStamps Stamps = ENetClockStamps::Frames;

	/** UDP port of the server. Zero if there is no link. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Port = 0;

	/** Client: the number of its requests. Server: the number of requests that it answered. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Requests = 0;

	/** Client: the number of replies that the clock used. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Replies = 0;

	/** The number of datagrams that were dropped, because they are from nobody who has a key. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Foreign = 0;
};

/** What the server gives one player for the link: its port, and a key that nobody else has. Replicated to
 * that player only. */
USTRUCT()
struct NETCLOCK_API FNetClockLinkOffer
{
	GENERATED_BODY()

	/** UDP port of the server's link. Zero: there is none. */
	UPROPERTY()
	int32 Port = 0;

	/** The number by which the server finds the key. */
	UPROPERTY()
	int32 KeyId = 0;

	/** The two halves of the secret. */
	UPROPERTY()
	int64 SecretHigh = 0;

	UPROPERTY()
	int64 SecretLow = 0;

	/** Identifies the run of the server's clock that the link serves. */
	UPROPERTY()
	int64 ServerEpoch = 0;

	bool IsGiven() const { return Port != 0; }
	bool operator==(const FNetClockLinkOffer& Other) const
	{
		return Port == Other.Port && KeyId == Other.KeyId && SecretHigh == Other.SecretHigh &&
			SecretLow == Other.SecretLow && ServerEpoch == Other.ServerEpoch;
	}
};
