// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "NetClock/Peer/NetClockPeerTypes.h"
#include "NetClockPeer.generated.h"

class FNetClockStreamReader;
class FNetClockPeerHandle;
class UWorld;

/** Send these bytes to the relay now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerSends, const TArray<uint8>&, Bytes);
/** The stage or the role of a peer changed. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockPeerChanged, ENetClockPeerStage, Stage, ENetClockPeerRole, Role);
/** A message of your game arrived from another peer. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerHears, const FNetClockGameMessage&, Message);

/**
 * A clock that players share through a relay or a lobby, without an Unreal server. One player, the primary,
 * provides the clock, and the others follow it. When the primary leaves, another player continues the clock.
 *
 * Your game provides the connection. Send the bytes of On Send to the relay, and pass what comes from there
 * to Receive Bytes. The peer runs with the worlds of its game. It reads its status at the start of each
 * frame, and sends messages at the end. Keep it in a variable: it ends when nothing refers to it.
 */
UCLASS(BlueprintType)
class NETCLOCK_API UNetClockPeer : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Joins a game at a relay. Game is a number that its players agreed on. bOverStream: bytes arrive in
	 * order and in pieces, as over TCP. Without it, each call of Receive Bytes gets one whole message. Null
	 * if there is no library, or no game.
	 *
	 * @param Game The number of the game. All of its players pass the same.
	 * @param bOverStream On: the connection to the relay is a stream, as TCP. Off: datagrams.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer shared time sync"))
	static UNetClockPeer* JoinGame(const UObject* WorldContextObject, int64 Game, bool bOverStream = false);

	/**
	 * Takes bytes from the relay. Call it as soon as they arrive, because their time counts. False if the
	 * stream is broken: close the connection.
	 *
	 * @param Bytes What arrived from the relay.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	bool ReceiveBytes(const TArray<uint8>& Bytes);

	/**
	 * Sends a message of your game, at most 1004 bytes, to the other peers, stamped with the shared time.
	 * Number is from 256 to 65535. False if the shared time is not known yet.
	 *
	 * @param Number A number of your own for this kind of message, from 256 to 65535.
	 * @param Data The bytes of the message, at most 1004.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	bool SendGameMessage(int32 Number, const TArray<uint8>& Data);

	/** Leaves the game at the end of the frame. The clock of this peer runs on. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	void LeaveGame();

	/** Sends now what a frame sends at its end. For games whose worlds do not tick. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	void RunNow();

	/** Everything that this peer knows in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	FNetClockPeerStatus GetPeerStatus() const { return Status; }

	/** True if the game has begun, so that the shared time runs. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	bool HasSharedTime() const { return Status.Stage == ENetClockPeerStage::Playing; }

	/** The shared time in this frame, in ticks of 100 ns. Zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	int64 GetSharedTimeTicks() const { return Status.SharedTicks; }

	/** The shared time in this frame, in seconds. Zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer shared time sync"))
	double GetSharedTimeSeconds() const;

	/** Error bound: the shared time is within this many ms of the primary's clock. Huge if there is no
	 * bound. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (DisplayName = "Get Shared Time Error Bound (ms)", Keywords = "relay lobby peer shared time sync"))
	double GetSharedTimeErrorBoundMs() const { return Status.ErrorBoundMs; }

	/** Send these bytes to the relay: over a stream in this order, otherwise as one datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peer")
	FNetClockPeerSends OnSend;

	/** The stage or the role changed. Called at the start of a frame. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peer")
	FNetClockPeerChanged OnPeerChanged;

	/** A message of your game arrived from another peer. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peer")
	FNetClockPeerHears OnGameMessage;

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	bool IsOfThisGame(const UWorld* World) const;
	void ReadClock();
	void HandleMessage(const uint8* Message, int32 Length, int64 Arrived);

	FNetClockPeerStatus Status;
	TSharedPtr<FNetClockPeerHandle> Peer;
	TSharedPtr<FNetClockStreamReader> Frames;
};
