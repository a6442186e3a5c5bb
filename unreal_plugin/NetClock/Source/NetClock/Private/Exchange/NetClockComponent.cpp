// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockComponent.h"

#include "Base/NetClockLibrary.h"
#include "Base/NetClockLog.h"
#include "Clock/NetClockBackend.h"
#include "Clock/NetClockSession.h"
#include "Clock/NetClockSettings.h"
#include "Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "Base/NetClockBudget.h"
#include "Exchange/NetClockDelays.h"
#include "Exchange/NetClockPlayerWatch.h"
#include "GameFramework/PlayerController.h"
#include "Handover/NetClockHandover.h"
#include "Handover/NetClockHandoverLink.h"
#include "Link/NetClockLink.h"
#include "Net/UnrealNetwork.h"
#include "Order/NetClockOrderBackend.h"
#include "Start/NetClockStartLink.h"
#include "Utc/NetClockUtc.h"

namespace
{
	/** Probes of one player that are answered in one frame. Clients repeat lost ones; a queue would only get
	 * old. */
	constexpr int32 MaxPending = 8;

	/** Segments are sent again to a client that does not know them after this, in ticks: the confirmation
	 * needs time to arrive. */
	constexpr int64 ResendAfter = NetClock::TicksPerSecond / 8;

	/** Segments of one change are sent again this often at most, if nothing is heard of the client. */
	constexpr int32 MaxResent = 16;

	/** Client: the time between probes that only confirm segments, in ticks. */
	constexpr int64 ConfirmAfter = NetClock::TicksPerSecond / 16;

	/** A growing dispersion is replicated in steps of this size, in ms: every 10 s where clocks drift by 100
	 * ppm. */
	constexpr double DispersionStepMs = 1.0;

	/** One bit for each clock of a world. */
	constexpr uint32 AllClocks = 7;

	bool IsAsking(const UNetClockHandover* Handover) { return Handover && Handover->IsAsking(); }
}

UNetClockComponent::UNetClockComponent() :
	ProbeBudget(MakeShared<FNetClockBudget>()), Delays(MakeShared<FNetClockProbeDelays>()),
	RoundTrip(MakeShared<FNetClockRoundTrip>()), Watch(MakeShared<FNetClockPlayerWatch>()),
	StartLink(MakeShared<FNetClockStartLink>()), HandoverLink(MakeShared<FNetClockHandoverLink>())
{
	PrimaryComponentTick.bCanEverTick = false;
	SetIsReplicatedByDefault(true);
}

UNetClockComponent* UNetClockComponent::Of(const APlayerController* Player)
{
	return Player ? Player->FindComponentByClass<UNetClockComponent>() : nullptr;
}

UNetClockComponent* UNetClockComponent::OfLocal(const APlayerController* Player)
{
	return Player && Player->IsLocalController() ? Of(Player) : nullptr;
}

void UNetClockComponent::BeginPlay()
{
	Super::BeginPlay();
	static bool bWarned = false;
	if (!bWarned && !Cast<APlayerController>(GetOwner()))
	{
		bWarned = true;
		UE_LOG(LogNetClock, Warning,
			TEXT("A NetClock component on %s does nothing: only that of a player controller asks the server. "
				 "Remove it. Servers add one to each player controller."),
			GetOwner() ? *GetOwner()->GetName() : TEXT("nothing"));
	}
}

void UNetClockComponent::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(UNetClockComponent, StartNews);
	DOREPLIFETIME(UNetClockComponent, Authority);
	DOREPLIFETIME(UNetClockComponent, ServerBoot);
	DOREPLIFETIME(UNetClockComponent, UtcClaim);
	DOREPLIFETIME(UNetClockComponent, bServerHasNoClock);
	DOREPLIFETIME_CONDITION(UNetClockComponent, LinkOffer, COND_OwnerOnly);
}

// The exchange: a client's probes and the server's replies.

void UNetClockComponent::SendDueProbe()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session || !Session->GetClient().IsValid() || bServerHasNoClock)
	{
		return;
	}
	SendAnswer(*Session->GetClient());
	FNetClockRequest Request;
	bool bReliable = false;
	if (!IsProbeDue(*Session->GetClient(), Request, bReliable))
	{
		return;
	}
	++SentProbes;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	const FNetClockWorldKnowledge Known = Clock ? Clock->GetWorldKnowledge() : FNetClockWorldKnowledge();
	if (Clock && Clock->IsSynced())
	{
		Delays->NoteSent(Request.Id, Clock->GetStatus());
	}
	if (bReliable)
	{
		ServerProbeReliably(Request, Known, NewestReplyTicks);
	}
	else
	{
		ServerProbe(Request, Known, NewestReplyTicks);
	}
}

bool UNetClockComponent::IsProbeDue(FNetClockClient& Client, FNetClockRequest& Request, bool& bReliable)
{
	const int64 Now = NetClock::LocalTicks();
	const bool bScheduled = Client.Tick(Now, Request, bReliable);
	// Probes are rare while the link is good. The server sends segments again until it knows that they
	// arrived.
	const bool bConfirms = !bScheduled && bConfirmSegments && Now - ProbedTicks >= ConfirmAfter &&
		Client.MakeRequest(Now, Request);
	if (bScheduled || bConfirms)
	{
		bConfirmSegments = false;
		ProbedTicks = Now;
	}
	return bScheduled || bConfirms;
}

void UNetClockComponent::ServerProbe_Implementation(
	const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	ReceiveProbe({Request, Known, NetClock::LocalTicks(), false}, Heard);
}

void UNetClockComponent::ServerProbeReliably_Implementation(
	const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	ReceiveProbe({Request, Known, NetClock::LocalTicks(), true}, Heard);
}

void UNetClockComponent::ReceiveProbe(const FPending& Probe, int64 Heard)
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	const double InARow = static_cast<double>(Settings.AnswersInARow);
	if (Pending.Num() >= MaxPending ||
		!ProbeBudget->Spend(
			Probe.ReceivedTicks, InARow, static_cast<double>(Settings.AnswersPerSecondAndPlayer)))
	{
		// The server drops the probe and does not punish: no player should lose the connection over a clock.
		if (++DroppedProbes == 1)
		{
			UE_LOG(LogNetClock, Verbose, TEXT("A player sends more probes than the server answers."));
		}
		return;
	}
	Pending.Add(Probe);
	ProbedTicks = Probe.ReceivedTicks;
	ClientKnows = Probe.Known;
	Watch->Begin();
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session || IsAsking(UNetClockHandover::Of(this)))
	{
		return;
	}
	const int64 ReceivedTicks = Session->ServerTicks(Probe.ReceivedTicks);
	RoundTrip->See(ReceivedTicks, Heard);
	Watch->Report(Probe.Request.ClientTicks, ReceivedTicks, Heard);
}

void UNetClockComponent::SendReplies(uint32 ChangedClocks, int32& Answered, int32& Dropped)
{
	Dropped += static_cast<int32>(DroppedProbes - DroppedBefore);
	DroppedBefore = DroppedProbes;
	if (!SendQuestion())
	{
		AnswerProbes(ChangedClocks, Answered);
		SendSegments(ChangedClocks);
	}
}

void UNetClockComponent::AnswerProbes(uint32& ClocksToSend, int32& Answered)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	UNetClockSession* Session = UNetClockSession::Of(this);
	const TSharedPtr<FNetClockServer> Server = Session ? Session->GetServer() : nullptr;
	const FNetClockWorldKnowledge Published = Clock ? Clock->GetWorldKnowledge() : FNetClockWorldKnowledge();
	const int64 ThroughTicks = Clock ? Clock->GetWorldThroughTicks() : 0;
	for (const FPending& Probe : Pending)
	{
		FNetClockReply Reply;
		if (!Server.IsValid() ||
			!Server->Answer(Probe.Request, Session->ServerTicks(Probe.ReceivedTicks),
				Session->ServerTicks(NetClock::LocalTicks()), Reply))
		{
			continue;
		}
		Session->SetAnswered();
		++AnsweredProbes;
		++Answered;
		if (Probe.bReliable)
		{
			ClientReplyReliably(Reply, Published, ThroughTicks);
		}
		else
		{
			ClientReply(Reply, Published, ThroughTicks);
		}
		// A segment was lost, or is still on its way.
		if (!(Probe.Known == Published) && Probe.ReceivedTicks - ResentTicks >= ResendAfter)
		{
			ResentTicks = Probe.ReceivedTicks;
			ClocksToSend = AllClocks;
		}
	}
	Pending.Reset();
	ResendSegments(Published, ClocksToSend);
}

// Without probes in between: while the link is good, they are rare.
void UNetClockComponent::ResendSegments(const FNetClockWorldKnowledge& Published, uint32& ClocksToSend)
{
	Resent = ClocksToSend != 0 ? 0 : Resent;
	if (ProbedTicks == 0 || ClientKnows == Published || ClocksToSend != 0 || Resent >= MaxResent)
	{
		return;
	}
	const int64 Now = NetClock::LocalTicks();
	if (Now - FMath::Max(ResentTicks, ProbedTicks) >= ResendAfter)
	{
		++Resent;
		ResentTicks = Now;
		ClocksToSend = AllClocks;
	}
}

void UNetClockComponent::SendSegments(uint32 Clocks)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	for (uint32 Index = 0; Clock && Clocks >> Index; ++Index)
	{
		if (Clocks >> Index & 1u)
		{
			const ENetClockWorldClock Which = static_cast<ENetClockWorldClock>(Index);
			ClientSegment(Which, Clock->GetServerSegment(Which));
		}
	}
}

void UNetClockComponent::ClientReply_Implementation(
	const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session || !Session->HandleReply(Reply, Arrived))
	{
		++RefusedReplies;
		return;
	}
	NewestReplyTicks = FMath::Max(NewestReplyTicks, Reply.SentTicks);
	UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!Clock)
	{
		return;
	}
	if (Clock->IsSynced() && Session->GetLead().IsValid())
	{
		Delays->NoteReply(Reply, Clock->GetStatus(), *Session->GetLead());
	}
	Clock->ConfirmSegments(Published, Reply.Epoch, FMath::Min(ThroughTicks, Reply.SentTicks));
}

void UNetClockComponent::ClientReplyReliably_Implementation(
	const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published, int64 ThroughTicks)
{
	ClientReply_Implementation(Reply, Published, ThroughTicks);
}

void UNetClockComponent::ClientSegment_Implementation(
	ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	if (UNetClockSubsystem* Subsystem = UNetClockSubsystem::Of(this))
	{
		const FNetClockWorldKnowledge Before = Subsystem->GetWorldKnowledge();
		Subsystem->LearnSegment(Clock, Segment);
		const UNetClockLink* Link = UNetClockLink::Of(this);
		bConfirmSegments =
			bConfirmSegments || (Link && Link->IsLinked() && !(Subsystem->GetWorldKnowledge() == Before));
	}
}

// The server's view of the player.

double UNetClockComponent::GetServerRoundTripMs() const
{
	return RoundTrip->GetMs();
}

FNetClockVerdict UNetClockComponent::GetVerdict() const
{
	return Watch->GetVerdict();
}

bool UNetClockComponent::TakeFinding(FNetClockVerdict& Verdict)
{
	return Watch->TakeFinding(Verdict);
}

void UNetClockComponent::ExcuseClock(double Seconds)
{
	if (const UNetClockSession* Session = UNetClockSession::Of(this))
	{
		Watch->Excuse(Session->ServerTicks(NetClock::LocalTicks()), Seconds);
	}
}

// Starts.

void UNetClockComponent::SendStartMessages()
{
	int32 World = 0;
	FNetClockDatagram Datagram;
	while (StartLink->NextMessage(StartNews, World, Datagram))
	{
		ServerStartMessage(World, Datagram);
	}
}

void UNetClockComponent::ServerStartMessage_Implementation(int32 World, const FNetClockDatagram& Datagram)
{
	if (StartLink->Admit(NetClock::LocalTicks()))
	{
		OnStartMessage.ExecuteIfBound(*this, World, Datagram);
	}
}

void UNetClockComponent::ClientStartMessage_Implementation(int32 World, const FNetClockDatagram& Datagram)
{
	StartLink->Receive(World, Datagram);
}

int64 UNetClockComponent::GetDroppedStartMessages() const
{
	return StartLink->GetDropped();
}

// Handover: whose time the server serves, and questions about it.

void UNetClockComponent::ReplicateAuthority()
{
	bServerHasNoClock = bServerHasNoClock || !NetClock::IsLibraryUsable();
	ServerBoot = NetClock::BootId();
	const UNetClockSession* Session = UNetClockSession::Of(this);
	if (!Session || IsAsking(UNetClockHandover::Of(this)))
	{
		return;
	}
	Authority = Session->GetServedAuthority();
	if (Authority.Timescale != Authority.ServerEpoch)
	{
		Authority.DispersionMs =
			(FMath::FloorToDouble(Authority.DispersionMs / DispersionStepMs) + 1.0) * DispersionStepMs;
	}
}

void UNetClockComponent::ReplicateLinkOffer()
{
	if (UNetClockLink* Link = UNetClockLink::Of(this))
	{
		LinkOffer = Link->OfferTo(*this, LinkOffer);
	}
}

void UNetClockComponent::OnRep_Authority()
{
	if (UNetClockSession* Session = UNetClockSession::Of(this))
	{
		static_cast<void>(Session->LearnAuthority(Authority));
	}
}

void UNetClockComponent::OnRep_ServerBoot()
{
	if (UNetClockSession* Session = UNetClockSession::Of(this))
	{
		Session->LearnServerBoot(ServerBoot);
	}
}

void UNetClockComponent::OnRep_ServerHasNoClock()
{
	// Without a library of its own this machine has said so already.
	if (bServerHasNoClock && NetClock::IsLibraryUsable())
	{
		UE_LOG(LogNetClock, Warning,
			TEXT("The server has no NetClock library, so there is no clock to follow. This client uses the "
				 "engine's clock and does not ask."));
	}
}

void UNetClockComponent::OnRep_UtcClaim()
{
	if (UNetClockUtc* Utc = UNetClockUtc::Of(this))
	{
		Utc->Learn(UtcClaim);
	}
}

bool UNetClockComponent::SendQuestion()
{
	UNetClockHandover* Handover = UNetClockHandover::Of(this);
	if (!IsAsking(Handover))
	{
		return false;
	}
	FNetClockDatagram Due;
	if (!Pending.IsEmpty() && Handover->Ask(*this, Due))
	{
		ClientQuestion(Due);
	}
	Pending.Reset();
	return true;
}

void UNetClockComponent::ClientQuestion_Implementation(const FNetClockDatagram& Asked)
{
	HandoverLink->Receive(Asked);
}

void UNetClockComponent::SendAnswer(const FNetClockClient& Client)
{
	FNetClockDatagram Answer;
	if (HandoverLink->TakeAnswer(Client, NetClock::LocalTicks(), Answer))
	{
		ServerAnswer(Answer);
	}
}

void UNetClockComponent::ServerAnswer_Implementation(const FNetClockDatagram& Answer)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockHandover* Handover = UNetClockHandover::Of(this);
	if (Handover && HandoverLink->Admit(Arrived))
	{
		Handover->TakeAnswer(*this, Answer, Arrived);
	}
}
