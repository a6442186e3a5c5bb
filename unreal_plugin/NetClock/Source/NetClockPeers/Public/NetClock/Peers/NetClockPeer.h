// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/EngineTypes.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockPeer.generated.h"

class FNetClockPeerHandle;
class FNetClockRelayHandle;
class FNetClockStreamReader;
class UWorld;

/** How far a peer has come. */
UENUM(BlueprintType)
enum class ENetClockPeerStage : uint8
{
	/** The peer has no slot, and asks the relay for one. */
	Joining,
	/** The peer has a slot, but no shared clock yet. */
	Waiting,
	/** The peer has the shared clock. The game has not begun. */
	Synced,
	/** The game is running. */
	Playing,
	/** The peer left, or the relay speaks another version. */
	Ended
};

/** Whose clock is the shared one. */
UENUM(BlueprintType)
enum class ENetClockPeerRole : uint8
{
	/** The peer has no slot. */
	None,
	/** This peer's clock. */
	Primary,
	/** Another peer's clock. */
	Secondary
};

/** Why the relay refused a peer. */
UENUM(BlueprintType)
enum class ENetClockRejection : uint8
{
	/** The relay did not refuse it. */
	None,
	/** The relay speaks another version. */
	Version,
	/** No free slot in this game, or no room for another game. The peer tries again. */
	Full,
	/** This peer is logged in already, on this connection or on another. The peer tries again. */
	Duplicate,
	/** The relay does not know the login, or no longer. The peer logs in again. */
	NotLoggedIn
};

/** Everything that a peer knows in one frame. The values belong together. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockPeerStatus
{
	GENERATED_BODY()

	/** How far the peer has come. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerStage Stage = ENetClockPeerStage::Joining;

	/** Whose clock is the shared one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockPeerRole Role = ENetClockPeerRole::None;

	/** Why the relay refused the last login. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockRejection Rejection = ENetClockRejection::None;

	/** How far the clock can be trusted. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockState State = ENetClockState::Unsynced;

	/** Number of its slot. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Slot = 0;

	/** Number of peers in the game, as the relay last reported. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** The shared clock, in ticks of 100 ns. Zero when the game begins, and before. It never goes backwards
	 * within an Epoch. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SharedTicks = 0;

	/** Error bound: the primary's clock is within this many ms, if the relay reports truthfully how long it
	 * held messages. Huge if there is no bound. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ErrorBoundMs = NetClock::UnknownMs;

	/** Expected error: one standard deviation, in ms. Huge if it is not known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double ExpectedErrorMs = NetClock::UnknownMs;

	/** How far the primary's clock may be off the clock of the game's first primary, in ms. Each change of
	 * the primary adds to it. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double InheritedMs = 0.0;

	/** Smallest recent round trip to the primary, in ms, without the time that the relay held messages. Huge
	 * until known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RoundTripMs = NetClock::UnknownMs;

	/** Counts the discontinuities of this peer's clock. Within one epoch the shared time never goes
	 * backwards. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Epoch = 0;

	/** Identifies the clock of the primary. Peers with the same value read the same clock. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 ServerEpoch = 0;
};

/** A message of your game from another peer. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockGameMessage
{
	GENERATED_BODY()

	/** Its number, from 256 to 65535. Your game gives it a meaning. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Number = 0;

	/** The sender's slot. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Slot = 0;

	/** When it was sent by the shared clock, in ticks of 100 ns, rounded to a millisecond. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 SentTicks = 0;

	/** The content of the message. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	TArray<uint8> Data;
};

/** The state of one game at a relay. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockRelayGame
{
	GENERATED_BODY()

	/** Number of peers in the game. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Players = 0;

	/** Number of primaries so far, including the present one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Primaries = 0;

	/** True if the game has begun. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bBegan = false;

	/** True if the game has a primary. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bHasPrimary = false;

	/** The connection of the primary, if there is one. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int64 Connection = 0;

	/** Number of messages that were lost because a peer's queue was full. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Dropped = 0;
};

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
class NETCLOCKPEERS_API UNetClockPeer : public UObject
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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer",
		meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer sync"))
	static UNetClockPeer* JoinGame(const UObject* WorldContextObject, int64 Game, bool bOverStream = false);

	/**
	 * Takes bytes from the relay. Call it as soon as they arrive, because their time counts. False if the
	 * stream is broken: close the connection.
	 *
	 * @param Bytes What arrived from the relay.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	bool ReceiveBytes(const TArray<uint8>& Bytes);

	/**
	 * Sends a message of your game, at most 1004 bytes, to the other peers, stamped with the shared time.
	 * Number is from 256 to 65535. False if the shared time is not known yet.
	 *
	 * @param Number A number of your own for this kind of message, from 256 to 65535.
	 * @param Data The bytes of the message, at most 1004.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	bool SendGameMessage(int32 Number, const TArray<uint8>& Data);

	/** Leaves the game at the end of the frame. The clock of this peer runs on. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	void LeaveGame();

	/** Sends now what a frame sends at its end. For games whose worlds do not tick. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	void RunNow();

	/** Everything that this peer knows in this frame. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	FNetClockPeerStatus GetPeerStatus() const { return Status; }

	/** True if the game has begun, so that the shared time runs. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	bool HasSharedTime() const { return Status.Stage == ENetClockPeerStage::Playing; }

	/** The shared time in this frame, in ticks of 100 ns. Zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	int64 GetSharedTimeTicks() const { return Status.SharedTicks; }

	/** The shared time in this frame, in seconds. Zero until the game begins. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer", meta = (Keywords = "relay lobby peer sync"))
	double GetSharedTimeSeconds() const;

	/** Error bound: the shared time is within this many ms of the primary's clock. Huge if there is no
	 * bound. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Peer",
		meta = (DisplayName = "Get Shared Time Error Bound (ms)", Keywords = "relay lobby peer sync"))
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
class NETCLOCKPEERS_API UNetClockRelay : public UObject
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
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay",
		meta = (WorldContext = "WorldContextObject", Keywords = "relay lobby peer sync"))
	static UNetClockRelay* OpenRelay(const UObject* WorldContextObject, int32 MaxGames = 16,
		int32 MaxPlayers = 8, int32 PlayersToBegin = 2, bool bOverStreams = false);

	/**
	 * Takes bytes from a connection. Call it as soon as they arrive, because their time counts. False if the
	 * stream is broken, or there are too many: close it.
	 *
	 * @param Connection The number that you gave the connection.
	 * @param Bytes What arrived on it.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	bool ReceiveBytes(int64 Connection, const TArray<uint8>& Bytes);

	/**
	 * Call it when a connection was closed. Its peer then leaves the game.
	 *
	 * @param Connection The number that you gave the connection.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	void CloseConnection(int64 Connection);

	/** Sends now what a frame sends at its end. For games whose worlds do not tick: call it at least every 50
	 * ms. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	void RunNow();

	/**
	 * The state of a game. False if nobody plays it.
	 *
	 * @param Game The number of the game.
	 * @param Found What the relay knows of it.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
	bool GetGame(int64 Game, FNetClockRelayGame& Found) const;

	/** Number of refused messages: unknown, forged, from the wrong role, or too many. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Relay", meta = (Keywords = "relay lobby peer sync"))
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
