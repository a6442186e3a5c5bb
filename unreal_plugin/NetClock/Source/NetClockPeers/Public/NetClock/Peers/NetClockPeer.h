// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockPeer.generated.h"

class UWorld;

namespace netclock
{
	class peer;
	class relay;
}

/** The stage of a peer. */
UENUM(BlueprintType)
enum class ENetClockPeerStage : uint8
{
	/** The peer is requesting a slot from the relay. */
	Joining,
	/** The peer has a slot but no shared clock yet. */
	Waiting,
	/** The peer has the shared clock, but the game has not begun. */
	Synced,
	/** The game is running. */
	Playing,
	/** The peer has left. */
	Ended
};

/** Why the relay rejected a peer. */
UENUM(BlueprintType)
enum class ENetClockRejection : uint8
{
	/** The relay did not reject the peer. */
	None,
	/** The game is full, or the relay has reached its maximum number of games. The peer keeps trying. */
	Full,
	/** This peer is already logged in, on this or another connection. The peer keeps trying. */
	Duplicate,
	/** The relay does not know this login or has deleted it. The peer logs in again. */
	NotLoggedIn
};

/** The status of a peer in one frame. All values come from the same reading. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockPeerStatus
{
	GENERATED_BODY()

	/** The stage of the peer. The shared time runs while the stage is Playing. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerStage Stage = ENetClockPeerStage::Joining;

	/** True if this peer is the primary, whose clock is the shared clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsPrimary = false;

	/** Why the relay rejected the last login. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockRejection Rejection = ENetClockRejection::None;

	/** The number of the peer's slot. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Slot = 0;

	/** The number of peers in the game, as last reported by the relay. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** The shared time, in ticks of 100 ns. The time is zero until the game begins, and never goes backwards
	 * within an epoch. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SharedTicks = 0;

	/** The maximum difference from the primary's clock, in ms, provided that the relay correctly reports how
	 * long it held messages. The value is huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** The standard deviation of the error, in ms, or a huge value if it is unknown. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How far the primary's clock may deviate from the clock of the game's first primary, in ms. This error
	 * grows each time the primary changes. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double InheritedMs = 0.0;

	/** The shortest recent round-trip time to the primary, in ms, excluding the time that messages spent in
	 * the relay. The value is huge until it is known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Incremented at each discontinuity of this peer's clock. Within an epoch, the shared time never goes
	 * backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Identifies the primary's clock. Peers with the same value follow the same clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** The peer has a message. Send these bytes to the relay now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerSends, const TArray<uint8>&, Bytes);
/** Reports a peer's status after its stage or role has changed. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockPeerChanged, const FNetClockPeerStatus&, Status);

/**
 * A clock that players share through a relay or a lobby, without an Unreal server. One player, the primary,
 * provides the clock, and the others follow it. When the primary leaves, another player takes over the clock.
 *
 * Your game provides the connection. Send the bytes of On Send to the relay, and pass each message from the
 * relay to Receive Bytes. Each message is 64 bytes long, so split a stream into 64-byte pieces. The peer
 * ticks with the game's worlds, updates its status at the start of each frame, and sends messages at the end.
 * Keep the peer in a variable, because it is destroyed when nothing references it.
 */
UCLASS(BlueprintType)
class NETCLOCKPEERS_API UNetClockPeer : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Joins a game through a relay. Returns null if the library is missing or there is no game world.
	 *
	 * @param Game The number that the players have agreed on for the game.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer",
		meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer sync"))
	static UNetClockPeer* JoinGame(const UObject* WorldContextObject, int64 Game);

	/**
	 * Handles a message from the relay. Call this as soon as the message arrives, because it timestamps the
	 * arrival. Returns false if the message is invalid or out of date.
	 *
	 * @param Bytes The message, which is 64 bytes long.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	bool ReceiveBytes(const TArray<uint8>& Bytes);

	/** Leaves the game at the end of the frame. The peer's clock keeps running. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	void LeaveGame();

	/** Sends pending messages now, rather than at the end of the frame. Use this in games whose worlds do not
	 * tick. */
	void RunNow();

	/** Returns this peer's status for the current frame, including the shared time and its error bound. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	FNetClockPeerStatus GetPeerStatus() const { return Status; }

	/** Called with each message for the relay. Send the messages over a stream in this order, or send each
	 * one as a datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peer")
	FNetClockPeerSends OnSend;

	/** Called at the start of a frame if the stage or role has changed. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Peer")
	FNetClockPeerChanged OnPeerChanged;

private:
	void OnTickStart(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);

	FNetClockPeerStatus Status;
	TSharedPtr<netclock::peer> Peer;
};

/** The relay has a message. Send these bytes over the connection now. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockRelaySends, int64, Connection, const TArray<uint8>&, Bytes);

/**
 * A relay for peers. It assigns each peer a slot in a game and forwards messages. It reports how long it held
 * each message, so that this delay does not affect the peers' clocks. The relay does not provide a clock
 * itself. A relay can run in any process, including a peer's.
 *
 * Your game provides the connections and assigns a number to each of them. The relay ticks with the game's
 * worlds. Keep the relay in a variable, because it is destroyed when nothing references it.
 */
UCLASS(BlueprintType)
class NETCLOCKPEERS_API UNetClockRelay : public UObject
{
	GENERATED_BODY()

public:
	/**
	 * Opens a relay. Returns null if a parameter is out of range, the library is missing, or there is no game
	 * world.
	 *
	 * @param MaxGames The maximum number of simultaneous games, from 1 to 256.
	 * @param MaxPlayers The maximum number of players in each game, from 2 to 64.
	 * @param PlayersToBegin The number of players it takes for a game to begin.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay",
		meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer sync"))
	static UNetClockRelay* OpenRelay(const UObject* WorldContextObject, int32 MaxGames = 16,
		int32 MaxPlayers = 8, int32 PlayersToBegin = 2);

	/**
	 * Handles a message from a connection. Call this as soon as the message arrives, because it timestamps
	 * the arrival. Returns false if the relay rejects the message.
	 *
	 * @param Connection The number you assigned to the connection.
	 * @param Bytes The message, which is 64 bytes long.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	bool ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes);

	/**
	 * Removes a peer from its game. Call this after the peer's connection has closed.
	 *
	 * @param Connection The number you assigned to the connection.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	void CloseConnection(int64 Connection);

	/** Sends pending messages immediately, rather than at the end of the frame. In games whose worlds do not
	 * tick, call this at least every 50 ms. */
	void RunNow();

	/** Called with each message for a connection. Send the messages over a stream in this order, or send each
	 * one as a datagram. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Relay")
	FNetClockRelaySends OnSend;

private:
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);

	TSharedPtr<netclock::relay> Relay;
};
