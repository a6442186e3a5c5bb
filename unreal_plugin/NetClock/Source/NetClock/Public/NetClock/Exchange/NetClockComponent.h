// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClockComponent.generated.h"

class UNetClockComponent;

/** What was counted of one player's messages. */
struct FNetClockExchangeCounts
{
	/** Client: datagrams that it sent, and those of the server that it refused. */
	int64 Sent = 0;
	int64 Refused = 0;
	/** Server: datagrams that it sent to the player, and those of the player that it dropped because they
	 * were too many or too long. */
	int64 Answered = 0;
	int64 Dropped = 0;
};

/**
 * Carries NetClock's datagrams between a player's machine and the server. It sits on a PlayerController,
 * because a client can call the server only through an actor that it owns. UNetClockExchange adds one to
 * every player who joins.
 *
 * It knows nothing of what is in the bytes. It stamps them where they enter the game, and they leave at the
 * end of the frame, just before the engine sends. So nothing is answered inside the call that asks.
 */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	/** Longest datagram, in bytes: one packet of any transport. */
	static constexpr int32 MaxBytes = 256;

	UNetClockComponent();

	/** The component of a player, or null. */
	static UNetClockComponent* Of(const APlayerController* Player);

	/** The same, if the player plays on this machine. */
	static UNetClockComponent* OfLocal(const APlayerController* Player);

	/** Sends a datagram to the other end. At most one unreliable datagram leaves in a frame. False if this
	 * one does not: the library sends what is lost again. */
	bool Send(const TArray<uint8>& Bytes, bool bReliable);

	/** Takes datagrams of other modules, before the library does. True if it took this one, which arrived at
	 * a time of this machine's clock, in ticks. */
	using FTaker = bool (*)(UNetClockComponent&, const TArray<uint8>& Bytes, int64 Arrived);

	/** Adds one for all components. For a static constant. */
	static bool AddTaker(FTaker Taker);

	/** What was counted, for those who show it. */
	const FNetClockExchangeCounts& GetCounts() const { return Counts; }

	/** Server: the player's newest datagram came reliably, and so does the answer. */
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

	/** The boot of the server's machine. A rate that was learnt before counts less. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	int64 ServerBoot = 0;

	/** The server has no library, so a client that asks would wait for ever. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	bool bServerHasNoClock = false;

	/** Server: the player's number, as UNetClockSession::NumberOf checks it. */
	int32 PlayerNumber = -1;

private:
	UFUNCTION()
	void OnRep_Server();

	void Receive(const TArray<uint8>& Bytes, bool bReliable);

	FNetClockExchangeCounts Counts;
	FNetClockBudget Budget;
	/** The frame of the newest unreliable datagram, by its start. */
	int64 SentFrameTicks = 0;
	bool bAnswersReliably = false;
	bool bSaidNoClock = false;
};

/**
 * A PlayerController that brings its clock component. You do not need it, because UNetClockExchange adds a
 * component to every PlayerController. With this class it is there a moment earlier.
 */
UCLASS()
class NETCLOCK_API ANetClockPlayerController : public APlayerController
{
	GENERATED_BODY()

public:
	ANetClockPlayerController();

	/** The clock component. */
	UNetClockComponent* GetNetClock() const { return NetClock; }

private:
	UPROPERTY(VisibleAnywhere, Category = "NetClock")
	TObjectPtr<UNetClockComponent> NetClock;
};
