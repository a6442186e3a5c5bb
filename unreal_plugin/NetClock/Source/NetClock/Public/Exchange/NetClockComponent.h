// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Base/NetClockDatagram.h"
#include "Clock/NetClockTypes.h"
#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "Exchange/NetClockVerdict.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Link/NetClockLinkTypes.h"
#include "Start/NetClockStartTypes.h"
#include "Utc/NetClockUtcTypes.h"
#include "World/NetClockWorldTypes.h"
#include "NetClockComponent.generated.h"

class APlayerController;
class UNetClockComponent;
class FNetClockClient;
class FNetClockHandoverLink;
class FNetClockPlayerWatch;
class FNetClockProbeDelays;
class FNetClockRoundTrip;
class FNetClockStartLink;
struct FNetClockBudget;

DECLARE_DELEGATE_ThreeParams(
	FNetClockStartMessage, UNetClockComponent&, int32 /*World*/, const FNetClockDatagram&);

/**
 * Carries the exchange between a player's machine and the server. It sits on a PlayerController, because a
 * client can call the server only through an actor that it owns. UNetClockExchange adds one to every player
 * who joins.
 *
 * It stamps messages where they enter and leave the game: arrivals when the call comes in, departures at the
 * end of the frame, just before the engine sends. So it never answers inside the call that asks.
 */
UCLASS(ClassGroup = (NetClock), meta = (BlueprintSpawnableComponent))
class NETCLOCK_API UNetClockComponent : public UActorComponent
{
	GENERATED_BODY()

public:
	UNetClockComponent();

	/** The component of a player, or null. */
	static UNetClockComponent* Of(const APlayerController* Player);

	/** The same, if the player plays on this machine. */
	static UNetClockComponent* OfLocal(const APlayerController* Player);

	/** Client, end of the frame: sends a probe if one is due. */
	void SendDueProbe();

	/**
	 * Server, end of the frame: sends the clocks of the world that changed, one bit for each, and answers the
	 * probes of this frame. Adds the numbers of answered and of dropped probes.
	 */
	void SendReplies(uint32 ChangedClocks, int32& Answered, int32& Dropped);

	/** Server, end of the frame: replicates whose time this server serves, once that is decided. */
	void ReplicateAuthority();

	/** Server, end of the frame: replicates what the server claims about UTC. */
	void ReplicateUtc(const FNetClockUtcClaim& Claim) { UtcClaim = Claim; }

	/** Server, end of the frame: replicates what the server offers this player for the link. To nobody
	 * else. */
	void ReplicateLinkOffer();

	/** What the server offers this player for the link. */
	const FNetClockLinkOffer& GetLinkOffer() const { return LinkOffer; }

	/** Client: the number of probes that it sent. */
	int64 GetSentProbes() const { return SentProbes; }

	/** Client: the number of replies that it refused. */
	int64 GetRefusedReplies() const { return RefusedReplies; }

	/** Server: the number of this player's probes that it answered. */
	int64 GetAnsweredProbes() const { return AnsweredProbes; }

	/** Server: the number of this player's probes that it dropped because they were too many. */
	int64 GetDroppedProbes() const { return DroppedProbes; }

	/** Server: the smallest round trip of this player in the last seconds, as the server measures it, in ms.
	 * Huge until known. */
	double GetServerRoundTripMs() const;

	/** Server: the verdict about this player's clock. */
	FNetClockVerdict GetVerdict() const;

	/** Server: true once for each new finding about this player's clock. */
	bool TakeFinding(FNetClockVerdict& Verdict);

	/** Server: ignores what arrives in the next seconds as evidence, and drops the findings of the last
	 * minute. */
	void ExcuseClock(double Seconds);

	/** What the server replicates to this player about starts. */
	const FNetClockStartNews& GetStartNews() const { return StartNews; }
	void SetStartNews(const FNetClockStartNews& News) { StartNews = News; }

	/** This player's part in starts, for UNetClockStart. */
	FNetClockStartLink& GetStartLink() const { return *StartLink; }

	/** Server: called for each message about starts that this player sent. */
	FNetClockStartMessage OnStartMessage;

	/** Client, end of the frame: sends the messages about starts that are due. */
	void SendStartMessages();

	/** Server: sends this player a message about a start. */
	void SendStartMessage(int32 World, const FNetClockDatagram& Datagram)
	{
		ClientStartMessage(World, Datagram);
	}

	/** Server: the number of this player's messages about starts that it dropped because they were too
	 * many. */
	int64 GetDroppedStartMessages() const;

	virtual void BeginPlay() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

private:
	/** Asks for the time. Known is what this client has heard of the world; HeardTicks is the server's send
	 * time of its newest reply. */
	UFUNCTION(Server, Unreliable)
	void ServerProbe(const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 HeardTicks);

	UFUNCTION(Server, Reliable)
	void ServerProbeReliably(
		const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 HeardTicks);

	/**
	 * Published is all that the server had published of the world. ThroughTicks is the last of its frames in
	 * which that was right, in ticks of its real time. A change after that frame may count from it on, so a
	 * reply promises nothing later.
	 */
	UFUNCTION(Client, Unreliable)
	void ClientReply(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks);

	UFUNCTION(Client, Reliable)
	void ClientReplyReliably(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks);

	/** Sent when a clock of the world changes, and again until the client knows. */
	UFUNCTION(Client, Unreliable)
	void ClientSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** A message about starts in one of the server's worlds. */
	UFUNCTION(Server, Unreliable)
	void ServerStartMessage(int32 World, const FNetClockDatagram& Datagram);

	UFUNCTION(Client, Unreliable)
	void ClientStartMessage(int32 World, const FNetClockDatagram& Datagram);

	/** A server that takes over a time asks this player for it, instead of answering a probe. */
	UFUNCTION(Client, Unreliable)
	void ClientQuestion(const FNetClockDatagram& Question);

	UFUNCTION(Server, Unreliable)
	void ServerAnswer(const FNetClockDatagram& Answer);

	UFUNCTION()
	void OnRep_Authority();

	UFUNCTION()
	void OnRep_ServerBoot();

	UFUNCTION()
	void OnRep_UtcClaim();

	UFUNCTION()
	void OnRep_ServerHasNoClock();

	UPROPERTY(Replicated)
	FNetClockStartNews StartNews;

	/** At the start, and again when it changes: about once a minute, or when somebody sets the server's
	 * UTC. */
	UPROPERTY(ReplicatedUsing = OnRep_UtcClaim)
	FNetClockUtcClaim UtcClaim;

	/** Only the player may know it: anyone with the key can answer in the server's name. */
	UPROPERTY(Replicated)
	FNetClockLinkOffer LinkOffer;

	/** Usually arrives before the first reply: the client then knows at once whether the time goes on. */
	UPROPERTY(ReplicatedUsing = OnRep_Authority)
	FNetClockAuthority Authority;

	/** The boot of the server's machine. A rate that was learnt before counts less. */
	UPROPERTY(ReplicatedUsing = OnRep_ServerBoot)
	int64 ServerBoot = 0;

	/** The server has no library, so a client that asks would wait for ever. */
	UPROPERTY(ReplicatedUsing = OnRep_ServerHasNoClock)
	bool bServerHasNoClock = false;

	/** A probe of this frame. The server answers it at the end of the frame. */
	struct FPending
	{
		FNetClockRequest Request;
		FNetClockWorldKnowledge Known;
		int64 ReceivedTicks = 0;
		bool bReliable = false;
	};

	void ReceiveProbe(const FPending& Probe, int64 HeardTicks);
	void AnswerProbes(uint32& ClocksToSend, int32& Answered);
	void ResendSegments(const FNetClockWorldKnowledge& Published, uint32& ClocksToSend);
	void SendSegments(uint32 Clocks);
	void SendAnswer(const FNetClockClient& Client);
	bool IsProbeDue(FNetClockClient& Client, FNetClockRequest& Request, bool& bReliable);
	bool SendQuestion();

	TArray<FPending> Pending;
	TSharedPtr<FNetClockBudget> ProbeBudget;
	TSharedPtr<FNetClockProbeDelays> Delays;
	TSharedPtr<FNetClockRoundTrip> RoundTrip;
	TSharedPtr<FNetClockPlayerWatch> Watch;
	TSharedPtr<FNetClockStartLink> StartLink;
	TSharedPtr<FNetClockHandoverLink> HandoverLink;

	/** Client: a segment came that the server does not know to have arrived. Between rare probes, one more
	 * says so. */
	bool bConfirmSegments = false;
	int64 ProbedTicks = 0;
	/** Server: what the client knew of the world when it sent its newest probe, and how often segments were
	 * sent again since. */
	FNetClockWorldKnowledge ClientKnows;
	int32 Resent = 0;
	/** Client: the server's send time of the newest reply that it accepted. */
	int64 NewestReplyTicks = 0;
	/** Server: when it last sent segments again to a client that did not know them. */
	int64 ResentTicks = 0;
	int64 SentProbes = 0;
	int64 AnsweredProbes = 0;
	int64 DroppedProbes = 0;
	int64 DroppedBefore = 0;
	int64 RefusedReplies = 0;
};
