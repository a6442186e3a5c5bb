// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Peer/NetClockPeerTypes.h"
#include "NetClockRelay.generated.h"

class FNetClockFrames;
class FNetClockRelayHandle;
class UWorld;

/** These bytes are to be sent on a connection, now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockRelaySends, int64, Connection, const TArray<uint8>&, Bytes);

/**
 * What peers meet at: it seats them in games, forwards between them, and says how long it held what, so that holding does
 * not bias their clocks. It has no clock to share itself, and may run in any process of the game's, also beside a peer.
 *
 * Connections are the game's own: it names them by numbers. It runs with the worlds of its game. Keep it in a variable.
 */
UCLASS(BlueprintType)
class NETCLOCK_API UNetClockRelay : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Opens a relay for up to MaxGames (1 to 256) at a time with up to MaxPlayers (2 to 64) each; a game begins when there are
	 * PlayersToBegin. bOverStreams: bytes come in order and in pieces; without it each Receive Bytes brings one whole message.
	 * Null if a number is out of its range, there is no library, or the context has no game.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers", meta = (WorldContext = "WorldContextObject"))
	static UNetClockRelay* OpenRelay(const UObject* WorldContextObject, int32 MaxGames = 16, int32 MaxPlayers = 8, int32 PlayersToBegin = 2, bool bOverStreams = false);

	/** What came on a connection: call it at once, the moment counts. False if its stream is broken, or there are too many: close it. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	bool ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes);

	/** A connection was closed: its peer has left. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	void CloseConnection(int64 Connection);

	/** Sends at once what is sent at the end of each frame: for games whose worlds stand still, at least every 50 ms. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	void RunNow();

	/** How a game is doing. False if nobody plays it. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	bool GetGame(int64 Game, FNetClockRelayGame& Found) const;

	/** How many messages were refused: unknown, forged, of the wrong role, or too many. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	int32 GetRefusedMessages() const { return Refused; }

	/** Bytes are to be sent on a connection: over a stream in this order, else as one datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peers")
	FNetClockRelaySends OnSend;

private:
	/** What has come on a connection and is no whole message yet. */
	struct FStream
	{
		int64 Connection = 0;
		TSharedPtr<FNetClockFrames> Frames;
	};

	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	TSharedPtr<FNetClockFrames> FramesOf(int64 Connection);
	void Hear(int64 Connection, const uint8* Message, int32 Length, int64 Arrived);

	TSharedPtr<FNetClockRelayHandle> Relay;
	bool bStreams = false;
	int32 MaxStreams = 0;
	TArray<FStream> Streams;
	int32 Refused = 0;
};
