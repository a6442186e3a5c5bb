// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Start/NetClockStartTypes.h"
#include "Clock/NetClockTypes.h"
#include "NetClockComponent.generated.h"

class FNetClockClient;
class FNetClockParticipant;
class FNetClockRateWatch;
struct FNetClockProgress;

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

	/** Server, end of the frame: says whose time it serves, once that is known. */
	void StateAuthority();

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

	/** Server: the smallest round trip of this player in the last seconds, as seen from here, in ms. Huge until known. */
	double GetServerRoundTripMs() const;

	/** Client: how many replies were refused. */
	int64 GetRefusedReplies() const { return RefusedReplies; }

	/** What the server tells of starts: set there, read here. */
	const FNetClockStartNews& GetStartNews() const { return StartNews; }
	void SetStartNews(const FNetClockStartNews& News) { StartNews = News; }

	/** Client without a clock: true once for each start that is told to have begun, also through travel. */
	bool TakeStartNews();

	/** Client: takes part in the starts of a world of the server. False if those that the server prepares are of another. */
	bool FollowStart(int32 World, const FNetClockClient& Client, int64 Now, FNetClockProgress& Progress);

	/** Client, end of the frame: says what is due about starts. */
	void SendStartMessages();

	/** Server: tells of a start. */
	void SendStartMessage(int32 World, const FNetClockDatagram& Datagram) { ClientStartMessage(World, Datagram); }

	/** Server: how many messages of this player about starts were dropped because they were too many. */
	int64 GetDroppedStartMessages() const { return DroppedStartMessages; }

	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

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

	/** A message about starts in a world of the server. */
	UFUNCTION(Server, Unreliable)
	void ServerStartMessage(int32 World, const FNetClockDatagram& Datagram);

	UFUNCTION(Client, Unreliable)
	void ClientStartMessage(int32 World, const FNetClockDatagram& Datagram);

	/** A server that takes a time over asks for it, in place of a reply. */
	UFUNCTION(Client, Unreliable)
	void ClientQuestion(const FNetClockDatagram& Question);

	UFUNCTION(Server, Unreliable)
	void ServerAnswer(const FNetClockDatagram& Answer);

	UFUNCTION()
	void OnRep_Authority();

	UPROPERTY(Replicated)
	FNetClockStartNews StartNews;

	/** Mostly there before the first reply is: a client knows at once whether the time goes on. */
	UPROPERTY(ReplicatedUsing = OnRep_Authority)
	FNetClockAuthority Authority;

	/** Messages that a player may send: so many in a row, and so many a second in the long run. */
	struct FBudget
	{
		/** False if it is spent. */
		bool Spend(int64 Now, double InARow, double PerSecond);

		double Left = 0.0;
		int64 At = 0;
	};

	/** What was asked in this frame and is answered at its end. */
	struct FPending
	{
		FNetClockRequest Request;
		FNetClockWorldKnowledge Known;
		int64 ReceivedTicks = 0;
		bool bReliable = false;
	};

	void ReceiveProbe(const FPending& Asked, int64 HeardTicks);
	void SendAnswer(const FNetClockClient& Client);
	bool SendQuestion();

	/** Client: what was asked in this frame and is answered at its end. */
	FNetClockDatagram OpenQuestion;
	bool bIsAsked = false;

	/** Client: a probe on its way, and what the frame showed that it left in. */
	struct FSent
	{
		int64 Id = 0;
		int64 ShownTicks = 0;
		int32 Epoch = 0;
	};

	void NoteDelays(const FNetClockReply& Reply);
	void SeeRoundTrip(int64 ReceivedTicks, int64 HeardTicks);

	TArray<FSent> OnTheirWay;
	/** Server: the smallest round trip of the span of time under way and of the one before, and when the former began; in ticks. */
	int64 RoundTrip = 0;
	int64 RoundTripBefore = 0;
	int64 RoundTripSince = 0;
	TArray<FPending> Pending;
	TSharedPtr<FNetClockRateWatch> Watch;
	int32 ToldFindings = 0;
	/** Client: when the server sent the newest reply that was accepted. */
	int64 NewestReplyTicks = 0;
	FBudget ProbeBudget;
	FBudget StartBudget;
	FBudget AnswerBudget;
	TSharedPtr<FNetClockParticipant> Participant;
	/** The server's world whose starts that takes part in. */
	int32 ParticipantWorld = 0;
	int64 DroppedStartMessages = 0;
	int64 TakenStartTicks = 0;
	int64 ToldTicks = 0;
	int64 SentProbes = 0;
	int64 AnsweredProbes = 0;
	int64 DroppedProbes = 0;
	int64 DroppedBefore = 0;
	int64 RefusedReplies = 0;
};
