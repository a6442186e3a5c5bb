// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "NetClockComponent.generated.h"

class APlayerController;

/** Datagram counters for one player. A client counts the datagrams that it has sent, and the server's
 * datagrams that it has rejected. A server counts the datagrams that it has sent, and those that it has
 * dropped because they exceeded the budget or the size limit. */
struct FNetClockExchangeCounts
{
	int64 Sent = 0;
	int64 Refused = 0;
	int64 Answered = 0;
	int64 Dropped = 0;
};

/** Carries NetClock's datagrams between a player's machine and the server without interpreting them. The
 * component must be on a PlayerController, because a client can only call the server through an actor that it
 * owns. The server adds this component to every player who joins. */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	/** The maximum size of a datagram, in bytes. A datagram of this size fits in a single packet on any
	 * transport. */
	static constexpr int32 MaxBytes = 256;

	UNetClockComponent();

	/** Return a player's component, or null. OfLocal() also returns null if the player is on another
	 * machine. */
	static UNetClockComponent* Of(const APlayerController* Player);
	static UNetClockComponent* OfLocal(const APlayerController* Player);

	/** Returns false while the connection is saturated, because unreliable calls are then dropped. */
	bool CanSend() const;

	/** Sends a datagram to the other end. At most one unreliable datagram is sent per frame. A second one is
	 * held until the next frame. Any others are dropped, because the library repeats lost messages. Returns
	 * false if the datagram was not sent. */
	bool Send(const TArray<uint8>& Bytes, bool bReliable);

	/** Sends the held datagram unless one has been sent in this frame. Call this at the end of each frame. */
	void SendHeld();

	const FNetClockExchangeCounts& GetCounts() const { return Counts; }

	/** Server: returns true if the player's latest datagram was a reliable call. The reply to it must then be
	 * reliable too. */
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

	/** The boot id of the server's machine. Clock rates saved during other boots carry less weight. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	int64 ServerBoot = 0;

	/** True if the server has no library and therefore never replies. */
	UPROPERTY(ReplicatedUsing = OnRep_Server)
	bool bServerHasNoClock = false;

	/** Server: the player's number on the host. UNetClockSession::NumberOf() validates it. */
	int32 PlayerNumber = -1;

private:
	UFUNCTION()
	void OnRep_Server();

	void Receive(const TArray<uint8>& Bytes, bool bReliable);
	/** Server: charges a datagram to the player's budget. Returns false if the budget is exhausted. */
	bool Spend(int64 Now);

	FNetClockExchangeCounts Counts;
	/** The player's remaining budget on the server and the time of its last update, which are initially zero.
	 * */
	double BudgetLeft = 0.0;
	int64 BudgetTicks = 0;
	/** The start of the frame in which the latest unreliable datagram was sent, and the held datagram. */
	int64 SentFrameTicks = 0;
	TArray<uint8> Held;
	bool bAnswersReliably = false;
	bool bLoggedNoClock = false;
};
