// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "NetClock/Peer/NetClockPeerTypes.h"
#include "NetClockRelay.generated.h"

class FNetClockStreamReader;
class FNetClockRelayHandle;
class UWorld;

/** Send these bytes on a connection now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockRelaySends, int64, Connection, const TArray<uint8>&, Bytes);

/**
 * A relay for peers. It gives each peer a slot in a game and forwards messages. It reports how long it held
 * each message, so that the wait does not bias the peers' clocks. It shares no clock of its own. It can run
 * in any process, also beside a peer.
 *
 * Your game provides the connections, and identifies them by numbers. The relay runs with the worlds of its
 * game. Keep it in a variable.
 */
UCLASS(BlueprintType)
class NETCLOCK_API UNetClockRelay : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Opens a relay for up to MaxGames (1 to 256) at a time, with up to MaxPlayers (2 to 64) in each. A game
	 * begins with PlayersToBegin players. bOverStreams: bytes arrive in order and in pieces. Without it, each
	 * call of Receive Bytes gets one whole message. Null if a number is out of range, there is no library, or
	 * there is no game.
	 *
	 * @param MaxGames Games at a time, from 1 to 256.
	 * @param MaxPlayers Players in each game, from 2 to 64.
	 * @param PlayersToBegin Players that a game needs before it begins.
	 * @param bOverStreams On: connections are streams, as TCP. Off: datagrams.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer shared time sync"))
	static UNetClockRelay* OpenRelay(const UObject* WorldContextObject, int32 MaxGames = 16,
		int32 MaxPlayers = 8, int32 PlayersToBegin = 2, bool bOverStreams = false);

	/**
	 * Takes bytes from a connection. Call it as soon as they arrive, because their time counts. False if the
	 * stream is broken, or there are too many: close it.
	 *
	 * @param Connection The number that you gave the connection.
	 * @param Bytes What arrived on it.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer shared time sync"))
	bool ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes);

	/**
	 * Call it when a connection was closed. Its peer then leaves the game.
	 *
	 * @param Connection The number that you gave the connection.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer shared time sync"))
	void CloseConnection(int64 Connection);

	/** Sends now what a frame sends at its end. For games whose worlds do not tick: call it at least every 50
	 * ms. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer shared time sync"))
	void RunNow();

	/**
	 * The state of a game. False if nobody plays it.
	 *
	 * @param Game The number of the game.
	 * @param Found What the relay knows of it.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer shared time sync"))
	bool GetGame(int64 Game, FNetClockRelayGame& Found) const;

	/** Number of refused messages: unknown, forged, from the wrong role, or too many. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer shared time sync"))
	int32 GetRefusedMessages() const { return Refused; }

	/** Send these bytes on a connection: over a stream in this order, otherwise as one datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Relay")
	FNetClockRelaySends OnSend;

private:
	/** Bytes of one connection that are not a whole message yet. */
	struct FStream
	{
		int64 Connection = 0;
		TSharedPtr<FNetClockStreamReader> Frames;
	};

	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	TSharedPtr<FNetClockStreamReader> FramesOf(int64 Connection);
	void HandleMessage(int64 Connection, const uint8* Message, int32 Length, int64 Arrived);

	TSharedPtr<FNetClockRelayHandle> Relay;
	bool bStreams = false;
	int32 MaxStreams = 0;
	TArray<FStream> Streams;
	int32 Refused = 0;
};
