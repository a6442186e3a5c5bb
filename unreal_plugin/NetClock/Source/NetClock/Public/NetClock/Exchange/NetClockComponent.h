// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockComponent.generated.h"

class UNetClockComponent;

/** Counters of one player's datagrams. */
struct FNetClockExchangeCounts
{
	/** Client: the number of datagrams that it sent, and the number from the server that it rejected. */
	int64 Sent = 0;
	int64 Refused = 0;
	/** Server: the number of datagrams that it sent to the player, and the number from the player that it
	 * dropped because they exceeded the budget or the size limit. */
	int64 Answered = 0;
	int64 Dropped = 0;
};

/**
 * Carries NetClock's datagrams between a player's machine and the server. It belongs to a PlayerController,
 * because a client can call the server only through an actor that it owns. UNetClockExchange adds one to
 * every player who joins.
 *
 * It does not interpret the bytes. It stamps their arrival in the game. It sends at the end of the frame,
 * just before the engine flushes its connections, so a request is never answered inside the call that
 * delivers it.
 */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	/** The longest datagram, in bytes, which fits into one packet of any transport. */
	static constexpr int32 MaxBytes = 256;

	UNetClockComponent();

	/** Returns the component of a player, or null. */
	static UNetClockComponent* Of(const APlayerController* Player);

	/** Returns the component of a player on this machine. Null for other players. */
	static UNetClockComponent* OfLocal(const APlayerController* Player);

	/** Returns false while the connection is saturated. Unreliable calls are dropped then. */
	bool CanSend() const;

	/** Sends a datagram to the other end. At most one unreliable datagram is sent per frame. Returns false if
	 * this one is dropped. The library repeats lost messages. */
	bool Send(const TArray<uint8>& Bytes, bool bReliable);

	/** Handles datagrams of other modules, before the library does. Returns true if it handled this one.
	 * Arrived is the time of its arrival, in ticks of this machine's clock. */
	using FTaker = bool (*)(UNetClockComponent&, const TArray<uint8>& Bytes, int64 Arrived);

	/** Adds a handler for all components. Returns true, so that it can initialise a static constant. */
	static bool AddTaker(FTaker Taker);

	/** Returns the counters. */
	const FNetClockExchangeCounts& GetCounts() const { return Counts; }

	/** Server: returns true if the player's latest datagram was a reliable call. The answer is one, too. */
	bool AnswersReliably() const { return bAnswersReliably; }

	virtual void BeginPlay() override;
	virtual void EndPlay(const EEndPlayReason::Type EndPlayReason) override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	UFUNCTION(Server, Unreliable)
	void ServerBytes(const TArray<uint8>& Bytes);

	UFUNCTION(Server, Reliable)
	void ServerBytesReliably(const TArray<uint8>& Bytes);

	UFUNCTION(Client, Unreliable)
	void ClientBytes(const TArray<uint8>& Bytes);

	UFUNCTION(Client, Reliable)
	void ClientBytesReliably(const TArray<uint8>& Bytes);

	/** The boot id of the server's machine. A rate that was stored during a different boot counts less. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	int64 ServerBoot = 0;

	/** True if the server has no library, and therefore never replies. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	bool bServerHasNoClock = false;

	/** Server: the player's number at the host, which UNetClockSession::NumberOf validates. */
	int32 PlayerNumber = -1;

private:
	UFUNCTION()
	void OnRep_Server();

	void Receive(const TArray<uint8>& Bytes, bool bReliable);

	FNetClockExchangeCounts Counts;
	FNetClockBudget Budget;
	/** The start of the frame in which the latest unreliable datagram was sent. */
	int64 SentFrameTicks = 0;
	bool bAnswersReliably = false;
	bool bLoggedNoClock = false;
};

/**
 * A PlayerController with a clock component. You do not need this class, because UNetClockExchange adds a
 * component to every PlayerController. With this class the component exists slightly earlier.
 */
UCLASS()
class NETCLOCK_API ANetClockPlayerController : public APlayerController
{
	GENERATED_BODY()

public:
	ANetClockPlayerController();

	/** Returns the clock component. */
	UNetClockComponent* GetNetClock() const { return NetClock; }

private:
	UPROPERTY(VisibleAnywhere, Category = "NetClock")
	TObjectPtr<UNetClockComponent> NetClock;
};
