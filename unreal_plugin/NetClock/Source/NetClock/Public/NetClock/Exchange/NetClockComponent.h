// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClock/Link/NetClockLink.h"
#include "NetClock/World/NetClockWorldTypes.h"
#include "NetClockComponent.generated.h"

class UNetClockComponent;

/** What the messages of a component can be about. In a frame the subjects act in this order. */
UENUM()
enum class ENetClockSubject : uint8
{
	/** Whose time the server serves. */
	Authority,
	/** The link's port and key. */
	Link,
	/** The server's UTC. */
	Utc,
	/** A server that asks for the time that it takes over. */
	Handover,
	/** Probes and replies. */
	Exchange,
	/** The clocks of the world. */
	World,
	/** The rate of the player's clock. */
	Watch,
	/** Starts. */
	Start
};

/** A client's probe, as the server received it. */
struct FNetClockProbe
{
	FNetClockRequest Request;
	/** What the client knew of the world. */
	FNetClockWorldKnowledge Known;
	/** The server's send time of the newest reply that the client had accepted, in ticks. */
	int64 HeardTicks = 0;
	/** When it arrived, by this machine's clock, in ticks. */
	int64 ReceivedTicks = 0;
	bool bReliable = false;
};

/** A frame of a server that ends: what changed, and what its players were sent. */
struct FNetClockServing
{
	/** One bit for each clock of the world with a new segment. */
	uint32 ChangedClocks = 0;
	/** The probes that were answered, and that were dropped as too many. */
	int32 Answered = 0;
	int32 Dropped = 0;
};

/** One player's part in a subject of NetClock, at the server and at the player's machine. A class that
 * derives
 * from it names its Subject, and registers with UNetClockComponent. */
class NETCLOCK_API FNetClockSubject
{
public:
	explicit FNetClockSubject(UNetClockComponent& InComponent) : Component(InComponent) {}
	virtual ~FNetClockSubject() = default;
	FNetClockSubject(const FNetClockSubject&) = delete;
	FNetClockSubject& operator=(const FNetClockSubject&) = delete;

	/** Client, end of the frame: sends what is due. */
	virtual void Ask() {}

	/** Server, end of the frame: replicates and sends what is due. */
	virtual void Serve(FNetClockServing&) {}

	/** Server: a probe of the player arrived. Those that are too many are left out. */
	virtual void OnProbe(const FNetClockProbe&) {}

	/** Client: what the server replicates of this subject changed. */
	virtual void Learn() {}

	/** A message of the other end arrived, about that world of the server. Anything can be in it. */
	virtual void Receive(int32 /*World*/, const FNetClockDatagram&) {}

	/** The calls of their own that the exchange and the clocks of the world have. */
	virtual void ReceiveProbe(const FNetClockProbe&) {}
	virtual void ReceiveReply(
		const FNetClockReply&, const FNetClockWorldKnowledge& /*Published*/, int64 /*ThroughTicks*/)
	{
	}
	virtual void ReceiveSegment(ENetClockWorldClock, const FNetClockWorldSegment&) {}

protected:
	UNetClockComponent& Component;
};

/** What the server replicates to each player about starts. Replication repairs what lost messages miss. */
USTRUCT()
struct NETCLOCK_API FNetClockStartNews
{
	GENERATED_BODY()

	/** Asks the client to report how good its clock is, because a start is prepared. */
	UPROPERTY()
	bool bPrepared = false;

	/** Number of the server's world. Zero: the server has no library. */
	UPROPERTY()
	int32 World = 0;

	/** The newest start that began there, in ticks of 100 ns of the server's real time. Zero: none. */
	UPROPERTY()
	int64 StartedTicks = 0;

	bool operator==(const FNetClockStartNews& Other) const
	{
		return bPrepared == Other.bPrepared && World == Other.World && StartedTicks == Other.StartedTicks;
	}
};

/** The server's claim: UTC is ZeroTicks plus the server's time. The server replicates it, and again when it
 * changes. */
USTRUCT()
struct NETCLOCK_API FNetClockUtcClaim
{
	GENERATED_BODY()

	/** Identifies the run of the server's clock. Zero: the server has claimed nothing yet. */
	UPROPERTY()
	int64 Epoch = 0;

	/** Number of the claim in this run. The first is one. */
	UPROPERTY()
	int32 Version = 0;

	/** UTC when the server's clock reads zero, in ticks of 100 ns since 1970. */
	UPROPERTY()
	int64 ZeroTicks = 0;

	/** When the server read both clocks, in ticks of its time. */
	UPROPERTY()
	int64 ReadTicks = 0;

	/** How far UTC may be off then, in ticks. The largest number: nobody states it. */
	UPROPERTY()
	int64 BoundTicks = 0;

	/** How fast the server's clock may run away from UTC, in ppm. */
	UPROPERTY()
	int32 DriftPpm = 0;
};

/** What was counted of one player's exchange. */
struct FNetClockExchangeCounts
{
	/** Client: probes that it sent, and replies that it refused. */
	int64 Sent = 0;
	int64 Refused = 0;
	/** Server: probes that it answered, and those that it dropped because they were too many. */
	int64 Answered = 0;
	int64 Dropped = 0;
};

/**
 * Carries NetClock's messages between a player's machine and the server. It sits on a PlayerController,
 * because a client can call the server only through an actor that it owns. UNetClockExchange adds one to
 * every player who joins.
 *
 * It knows the calls and the replicated properties, and nothing of what they say: that is the subjects'. They
 * stamp messages where these enter and leave the game: arrivals when the call comes in, departures at the end
 * of the frame, just before the engine sends. So nothing is answered inside the call that asks.
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

	/** Registers a class of subjects, before the first component is used. For a static constant. */
	template <class T> static bool Register()
	{
		return Register(T::Subject,
			[](UNetClockComponent& At) -> TSharedPtr<FNetClockSubject> { return MakeShared<T>(At); });
	}

	/** This player's part in a subject, or null if no module registered one. */
	FNetClockSubject* Find(ENetClockSubject Subject);
	template <class T> T* Find() { return static_cast<T*>(Find(T::Subject)); }

	/** Client, end of the frame: sends what is due. */
	void Ask();

	/** Server, end of the frame: replicates and sends what is due. */
	void Serve(FNetClockServing& Frame);

	/** Server: a probe arrived that is not too many. */
	void NoteProbe(const FNetClockProbe& Probe);

	/** Sends a message of a subject to the other end at the end of this frame. It may be lost. */
	void Send(ENetClockSubject Subject, int32 World, const FNetClockDatagram& Datagram);

	/** What was counted of the exchange, for those who show it. */
	const FNetClockExchangeCounts& GetCounts() const { return Counts; }

	virtual void BeginPlay() override;
	virtual void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	// What the subjects send as calls of their own.

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
	void ClientReply(
		const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks);

	UFUNCTION(Client, Reliable)
	void ClientReplyReliably(
		const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks);

	/** Sent when a clock of the world changes, and again until the client knows. */
	UFUNCTION(Client, Unreliable)
	void ClientSegment(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment);

	/** A message of a subject, about one of the server's worlds. */
	UFUNCTION(Server, Unreliable)
	void ServerMessage(ENetClockSubject Subject, int32 World, const FNetClockDatagram& Datagram);

	UFUNCTION(Client, Unreliable)
	void ClientMessage(ENetClockSubject Subject, int32 World, const FNetClockDatagram& Datagram);

	// What the server replicates, each written by its subject.

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
	UPROPERTY(ReplicatedUsing = OnRep_Authority)
	int64 ServerBoot = 0;

	/** The server has no library, so a client that asks would wait for ever. */
	UPROPERTY(ReplicatedUsing = OnRep_Authority)
	bool bServerHasNoClock = false;

	/** Written by the exchange. */
	FNetClockExchangeCounts Counts;

private:
	using FMake = TSharedPtr<FNetClockSubject> (*)(UNetClockComponent&);
	static constexpr int32 NumSubjects = static_cast<int32>(ENetClockSubject::Start) + 1;
	static FMake Makers[NumSubjects];

	static bool Register(ENetClockSubject Subject, FMake Make);
	/** Calls it for one subject, or for each, if there is one. */
	template <class T> void With(ENetClockSubject Which, T Call)
	{
		if (FNetClockSubject* Subject = Find(Which))
		{
			Call(*Subject);
		}
	}
	template <class T> void WithEach(T Call)
	{
		for (int32 Index = 0; Index < NumSubjects; ++Index)
		{
			With(static_cast<ENetClockSubject>(Index), Call);
		}
	}

	UFUNCTION()
	void OnRep_Authority();

	UFUNCTION()
	void OnRep_UtcClaim();

	/** Each is made when it is first asked for. */
	TSharedPtr<FNetClockSubject> Subjects[NumSubjects];
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
