// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "NetClockTypes.h"
#include "NetClockComponent.generated.h"

class FNetClockRateWatch;

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

	/**
	 * Server, end of the frame: tells what changed in the world's clocks, a bit for each, and answers what was asked in
	 * this frame. Adds how many were, and how many were dropped.
	 */
	void SendReplies(uint32 ChangedClocks, int32& Answered, int32& Dropped);

	/** Client: how many probes were sent. */
	int64 GetSentProbes() const { return SentProbes; }

	/** Server: what is thought of this player's clock. */
	FNetClockVerdict GetVerdict() const;

	/** Server: true once for each finding about it. */
	bool TakeFinding(FNetClockVerdict& Verdict);

	/** Server: what arrives in the next seconds is no evidence about it, and what was found in the last minute is dropped. */
	void ExcuseClock(double Seconds);

	/** Server: how many probes of this player were answered. */
	int64 GetAnsweredProbes() const { return AnsweredProbes; }

	/** Server: how many probes of this player were dropped because they were too many. */
	int64 GetDroppedProbes() const { return DroppedProbes; }

	/** Client: how many replies were refused. */
	int64 GetRefusedReplies() const { return RefusedReplies; }

private:
	/** Asks for the time; the bReliable of the request says by which of the two. Known is what this client has been told of the world, HeardTicks when the server sent the newest reply that it has. */
	UFUNCTION(Server, Unreliable)
	void ServerProbe(const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 HeardTicks);

	UFUNCTION(Server, Reliable)
	void ServerProbeReliably(const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 HeardTicks);

	/** Published is all that there was to know of the world when this was sent. */
	UFUNCTION(Client, Unreliable)
	void ClientReply(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published);

	UFUNCTION(Client, Reliable)
	void ClientReplyReliably(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published);

	/** Goes out when a clock of the world changes, and again until the client knows. */
	UFUNCTION(Client, Unreliable)
	void ClientSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** What was asked in this frame and is answered at its end. */
	struct FPending
	{
		FNetClockRequest Request;
		FNetClockWorldKnowledge Known;
		int64 ReceivedTicks = 0;
		bool bReliable = false;
	};

	void ReceiveProbe(const FPending& Asked, int64 HeardTicks);
	bool SpendOne(int64 Now);

	TArray<FPending> Pending;
	TSharedPtr<FNetClockRateWatch> Watch;
	int32 ToldFindings = 0;
	/** Client: when the server sent the newest reply that was accepted. */
	int64 NewestReplyTicks = 0;
	double Budget = 0.0;
	int64 BudgetAt = 0;
	int64 ToldTicks = 0;
	int64 SentProbes = 0;
	int64 AnsweredProbes = 0;
	int64 DroppedProbes = 0;
	int64 DroppedBefore = 0;
	int64 RefusedReplies = 0;
};
