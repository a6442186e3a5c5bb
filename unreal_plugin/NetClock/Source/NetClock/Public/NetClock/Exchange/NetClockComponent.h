// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "NetClockComponent.generated.h"

class APlayerController;

/** Counters of one player's datagrams. A client counts the datagrams that it sent and the server's datagrams
 * that it rejected. A server counts the datagrams that it sent and those that exceeded the budget or the size
 * limit. */
struct FNetClockExchangeCounts
{
	int64 Sent = 0;
	int64 Refused = 0;
	int64 Answered = 0;
	int64 Dropped = 0;
};

/** Transfers NetClock's datagrams between a player's machine and the server, without interpreting them. It
 * belongs to a PlayerController, because a client can call the server only through an actor that it owns. The
 * server adds one to every player who joins. */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	/** The longest datagram, in bytes. It fits into a single packet of any transport. */
	static constexpr int32 MaxBytes = 256;

	UNetClockComponent();

	/** Return the component of a player or of a player on this machine, or null. */
	static UNetClockComponent* Of(const APlayerController* Player);
	static UNetClockComponent* OfLocal(const APlayerController* Player);

	/** Returns false while the connection is saturated. Unreliable calls are dropped then. */
	bool CanSend() const;

	/** Sends a datagram to the other end. Only one unreliable datagram is sent per frame. A second one is held
	 * for the next frame, and others are dropped, because the library repeats lost messages. Returns false if
	 * the datagram is not sent. */
	bool Send(const TArray<uint8>& Bytes, bool bReliable);

	/** Sends the held datagram, unless this frame has sent another one. Call it at the end of each frame. */
	void SendHeld();

	const FNetClockExchangeCounts& GetCounts() const { return Counts; }

	/** Server: returns true if the player's latest datagram, and hence the reply, is a reliable call. */
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

	/** The boot id of the server's machine. Rates stored during other boots have less weight. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	int64 ServerBoot = 0;

	/** True if the server has no library and therefore never replies. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	bool bServerHasNoClock = false;

	/** Server: the player's number at the host, which UNetClockSession::NumberOf validates. */
	int32 PlayerNumber = -1;

private:
	UFUNCTION()
	void OnRep_Server();

	void Receive(const TArray<uint8>& Bytes, bool bReliable);
	/** Server: counts a datagram of the player. Returns false if its budget is exhausted. */
	bool Spend(int64 Now);

	FNetClockExchangeCounts Counts;
	/** Server: the player's remaining budget, and when it was computed. Zero before the first datagram. */
	double BudgetLeft = 0.0;
	int64 BudgetTicks = 0;
	/** The start of the frame in which the latest unreliable datagram was sent, and the held datagram. */
	int64 SentFrameTicks = 0;
	TArray<uint8> Held;
	bool bAnswersReliably = false;
	bool bLoggedNoClock = false;
};
