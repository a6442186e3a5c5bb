// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "NetClockTypes.h"
#include "NetClockComponent.generated.h"

/**
 * Carries the exchange between a player's machine and the server. It belongs on a PlayerController, which is what a
 * client may call the server by; UNetClockSubsystem puts one on every player who joins, so that nobody has to.
 *
 * Stamps are taken where messages enter and leave the game: arrivals at the entry of the call, departures at the end of
 * the frame, just before the engine sends. A reply is therefore never made inside the call that asks for it.
 */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	UNetClockComponent();

	/** Client, end of the frame: asks the server if that is due. */
	void SendDueProbe();

	/** Server, end of the frame: answers what was asked in this frame. Adds how many were, and how many were dropped. */
	void SendReplies(int32& Answered, int32& Dropped);

	/** Client: how many probes were sent. */
	int64 GetSentProbes() const { return SentProbes; }

	/** Server: how many probes of this player were answered. */
	int64 GetAnsweredProbes() const { return AnsweredProbes; }

	/** Server: how many probes of this player were dropped because they were too many. */
	int64 GetDroppedProbes() const { return DroppedProbes; }

	/** Client: how many replies were refused. */
	int64 GetRefusedReplies() const { return RefusedReplies; }

private:
	/** Asks for the time; the bReliable of the request says by which of the two. */
	UFUNCTION(Server, Unreliable)
	void ServerProbe(int64 Id, int64 ClientTicks);

	UFUNCTION(Server, Reliable)
	void ServerProbeReliably(int64 Id, int64 ClientTicks);

	UFUNCTION(Client, Unreliable)
	void ClientReply(int64 Id, int64 Epoch, int64 ReceivedTicks, int64 SentTicks);

	UFUNCTION(Client, Reliable)
	void ClientReplyReliably(int64 Id, int64 Epoch, int64 ReceivedTicks, int64 SentTicks);

	/** What was asked in this frame and is answered at its end. */
	struct FPending
	{
		FNetClockRequest Request;
		int64 ReceivedTicks = 0;
		bool bReliable = false;
	};

	void ReceiveProbe(int64 Id, int64 ClientTicks, bool bReliable);
	void ReceiveReply(const FNetClockReply& Reply);
	bool SpendOne(int64 Now);

	TArray<FPending> Pending;
	double Budget = 0.0;
	int64 BudgetAt = 0;
	int64 SentProbes = 0;
	int64 AnsweredProbes = 0;
	int64 DroppedProbes = 0;
	int64 DroppedBefore = 0;
	int64 RefusedReplies = 0;
};
