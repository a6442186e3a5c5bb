// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "Peer/NetClockPeerTypes.h"
#include "NetClockPeer.generated.h"

class FNetClockFrames;
class FNetClockPeerHandle;
class UWorld;

/** These bytes are to be sent to the relay, now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerSends, const TArray<uint8>&, Bytes);
/** A peer has come further, or has another role. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockPeerChanged, ENetClockPeerStage, Stage, ENetClockPeerRole, Role);
/** A message of the game's own came from another peer. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerHears, const FNetClockGameMessage&, Message);

/**
 * A clock that players share who meet at a relay or in a lobby, without an Unreal server: one player's clock is the shared
 * one, the others follow it, and when he leaves another one goes on with it.
 *
 * It sends and receives bytes by a connection of the game's own: what On Send gives goes to the relay, what comes from there
 * to Receive Bytes. It runs with the worlds of its game: the status is of the frame's start, and messages leave at the
 * frame's end. Keep it in a variable: it ends with the last one.
 */
UCLASS(BlueprintType)
class NETCLOCK_API UNetClockPeer : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Joins a game at a relay, by a number that its players have agreed on. bOverStream: bytes come in order and in pieces, as
	 * over TCP; without it each Receive Bytes brings one whole message. Null if there is no library, or the context has no game.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers", meta = (WorldContext = "WorldContextObject"))
	static UNetClockPeer* JoinGame(const UObject* WorldContextObject, int64 Game, bool bOverStream = false);

	/** What came from the relay: call it at once, the moment counts. False if a stream is broken: close the connection. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	bool ReceiveBytes(const TArray<uint8>& Bytes);

	/** Sends the other peers a message of the game's own, at most 1012 bytes, stamped with the shared time. Number is from 256 to 65535. False if there is no shared time yet. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	bool SendGameMessage(int32 Number, const TArray<uint8>& Data);

	/** Says good-bye at the end of the frame; the clock goes on. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	void LeaveGame();

	/** Does at once what is done at the end of each frame: for games whose worlds stand still. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peers")
	void RunNow();

	/** All that is known in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	FNetClockPeerStatus GetPeerStatus() const { return Status; }

	/** True if there is a shared time to show. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	bool HasSharedTime() const { return Status.Stage == ENetClockPeerStage::Playing; }

	/** The shared time in this frame, in ticks of 100 ns; zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	int64 GetSharedTimeTicks() const { return Status.SharedTicks; }

	/** The shared time in this frame, in seconds; zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers")
	double GetSharedTimeSeconds() const;

	/** The shared time is within this of the primary's, in ms. Huge if nothing can be promised. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peers", meta = (DisplayName = "Get Shared Time Error Bound (ms)"))
	double GetSharedTimeErrorBoundMs() const { return Status.ErrorBoundMs; }

	/** Bytes are to be sent to the relay: over a stream in this order, else as one datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peers")
	FNetClockPeerSends OnSend;

	/** It has come further, or has another role: at the start of a frame. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peers")
	FNetClockPeerChanged OnPeerChanged;

	/** A message of the game's own came from another peer. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peers")
	FNetClockPeerHears OnGameMessage;

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	bool IsOfThisGame(const UWorld* World) const;
	void ReadClock();
	void Hear(const uint8* Message, int32 Length, int64 Arrived);

	FNetClockPeerStatus Status;
	TSharedPtr<FNetClockPeerHandle> Peer;
	TSharedPtr<FNetClockFrames> Frames;
};
