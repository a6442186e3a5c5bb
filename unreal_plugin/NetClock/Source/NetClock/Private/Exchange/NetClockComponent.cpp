// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Exchange/NetClockComponent.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "Misc/Guid.h"
#include "Net/UnrealNetwork.h"
#include "Clock/NetClockBackend.h"
#include "Handover/NetClockHandover.h"
#include "Base/NetClockLog.h"
#include "Order/NetClockOrderBackend.h"
#include "Clock/NetClockSession.h"
#include "Clock/NetClockSettings.h"
#include "Start/NetClockStart.h"
#include "Start/NetClockStartBackend.h"
#include "Clock/NetClockSubsystem.h"
#include "Exchange/NetClockWatchBackend.h"

namespace
{
	/** Probes of one player that are answered in one frame. Lost ones are repeated; a queue would only grow old. */
	constexpr int32 MaxPending = 8;

	/** A client that has not heard of a change is told again after this, in ticks: the answer is on its way for a while. */
	constexpr int64 TellEvery = NetClock::TicksPerSecond / 8;

	/** Probes whose departure is remembered: what has not been answered by then is lost. */
	constexpr int32 MaxOnTheirWay = 32;

	/** The smallest round trip is one of the last so many ticks, or up to twice of it. */
	constexpr int64 RoundTripSpan = 4 * NetClock::TicksPerSecond;

	/** Not seen yet. */
	constexpr int64 NoRoundTrip = 60 * NetClock::TicksPerSecond;

	/** Longest time that a clock is excused for at once, in seconds: an hour. */
	constexpr double MostExcused = 3600.0;

	/**
	 * Messages about starts that are read of one player: 4 a second say how good its clock is, and while a start is announced
	 * up to 20 a second that it knows.
	 */
	constexpr double StartMessagesPerSecond = 40.0;
	constexpr double StartMessagesInARow = 40.0;

	UNetClockSession* SessionOf(const UWorld* World)
	{
		return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	}

	UNetClockHandover* HandoverOf(const UWorld* World)
	{
		return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockHandover>() : nullptr;
	}

	/** A bit for each clock of a world. */
	constexpr uint32 AllClocks = 7;
}

UNetClockComponent::UNetClockComponent()
{
	PrimaryComponentTick.bCanEverTick = false;
	SetIsReplicatedByDefault(true);
}

void UNetClockComponent::SendDueProbe()
{
	const UWorld* World = GetWorld();
	UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	if (!Session || !Session->GetClient().IsValid())
	{
		return;
	}
	SendAnswer(*Session->GetClient());
	FNetClockRequest Request;
	bool bReliable = false;
	if (!Session->GetClient()->Tick(NetClock::LocalTicks(), Request, bReliable))
	{
		return;
	}
	++SentProbes;
	const UNetClockSubsystem* Subsystem = World->GetSubsystem<UNetClockSubsystem>();
	const FNetClockWorldKnowledge Known = Subsystem ? Subsystem->GetWorldKnowledge() : FNetClockWorldKnowledge();
	if (Subsystem && Subsystem->IsSynced())
	{
		OnTheirWay.Add({Request.Id, Subsystem->GetServerTimeTicks(), Subsystem->GetStatus().Epoch});
		if (OnTheirWay.Num() > MaxOnTheirWay)
		{
			OnTheirWay.RemoveAt(0);
		}
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

void UNetClockComponent::ServerProbe_Implementation(const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	ReceiveProbe({Request, Known, NetClock::LocalTicks(), false}, Heard);
}

void UNetClockComponent::ServerProbeReliably_Implementation(const FNetClockRequest& Request, const FNetClockWorldKnowledge& Known, int64 Heard)
{
	ReceiveProbe({Request, Known, NetClock::LocalTicks(), true}, Heard);
}

void UNetClockComponent::ReceiveProbe(const FPending& Asked, int64 Heard)
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	const double InARow = static_cast<double>(Settings.AnswersInARow);
	if (Pending.Num() >= MaxPending || !ProbeBudget.Spend(Asked.ReceivedTicks, InARow, static_cast<double>(Settings.AnswersPerSecondAndPlayer)))
	{
		// Dropped, not punished: a player must not be thrown out for a clock.
		if (++DroppedProbes == 1)
		{
			UE_LOG(LogNetClock, Verbose, TEXT("A player asks for the time more often than is answered."));
		}
		return;
	}
	Pending.Add(Asked);
	if (!Watch.IsValid())
	{
		Watch = FNetClockRateWatch::Create();
	}
	const UNetClockHandover* Handover = HandoverOf(GetWorld());
	const UNetClockSession* Session = SessionOf(GetWorld());
	if (!Session || (Handover && Handover->IsAsking()))
	{
		return;
	}
	SeeRoundTrip(Session->ServerTicks(Asked.ReceivedTicks), Heard);
	if (Watch.IsValid())
	{
		Watch->Report(Asked.Request.ClientTicks, Session->ServerTicks(Asked.ReceivedTicks), Heard);
	}
}

FNetClockVerdict UNetClockComponent::GetVerdict() const
{
	return Watch.IsValid() ? Watch->Read() : FNetClockVerdict();
}

bool UNetClockComponent::TakeFinding(FNetClockVerdict& Verdict)
{
	Verdict = GetVerdict();
	const bool bNew = Verdict.Findings != ToldFindings;
	ToldFindings = Verdict.Findings;
	return bNew;
}

void UNetClockComponent::ExcuseClock(double Seconds)
{
	const UNetClockSession* Session = SessionOf(GetWorld());
	if (Watch.IsValid() && Session && FMath::IsFinite(Seconds) && Seconds >= 0.0)
	{
		const int64 Now = Session->ServerTicks(NetClock::LocalTicks());
		Watch->Excuse(Now, Now + static_cast<int64>(FMath::Min(Seconds, MostExcused) * static_cast<double>(NetClock::TicksPerSecond)));
	}
}

bool UNetClockComponent::FBudget::Spend(int64 Now, double InARow, double PerSecond)
{
	const double Elapsed = static_cast<double>(Now - At) / static_cast<double>(NetClock::TicksPerSecond);
	Left = At == 0 ? InARow : FMath::Min(InARow, Left + FMath::Max(0.0, Elapsed) * PerSecond);
	At = Now;
	if (Left < 1.0)
	{
		return false;
	}
	Left -= 1.0;
	return true;
}

void UNetClockComponent::SendReplies(uint32 ChangedClocks, int32& Answered, int32& Dropped)
{
	Dropped += static_cast<int32>(DroppedProbes - DroppedBefore);
	DroppedBefore = DroppedProbes;
	if (SendQuestion())
	{
		return;
	}
	const UWorld* World = GetWorld();
	const UNetClockSubsystem* Subsystem = World ? World->GetSubsystem<UNetClockSubsystem>() : nullptr;
	UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	const TSharedPtr<FNetClockServer> Server = Session ? Session->GetServer() : nullptr;
	const FNetClockWorldKnowledge Published = Subsystem ? Subsystem->GetWorldKnowledge() : FNetClockWorldKnowledge();
	uint32 ToTell = ChangedClocks;
	for (const FPending& Asked : Pending)
	{
		FNetClockReply Reply;
		if (!Server.IsValid() || !Server->Answer(Asked.Request, Session->ServerTicks(Asked.ReceivedTicks), Session->ServerTicks(NetClock::LocalTicks()), Reply))
		{
			continue;
		}
		Session->SetAnswered();
		++AnsweredProbes;
		++Answered;
		if (Asked.bReliable)
		{
			ClientReplyReliably(Reply, Published);
		}
		else
		{
			ClientReply(Reply, Published);
		}
		// Lost, or not there yet: who has not heard of it is told again.
		if (!(Asked.Known == Published) && Asked.ReceivedTicks - ToldTicks >= TellEvery)
		{
			ToldTicks = Asked.ReceivedTicks;
			ToTell = AllClocks;
		}
	}
	Pending.Reset();
	for (uint32 Clock = 0; Subsystem && ToTell >> Clock; ++Clock)
	{
		if (ToTell >> Clock & 1u)
		{
			const ENetClockWorldClock Which = static_cast<ENetClockWorldClock>(Clock);
			ClientSegment(Which, Subsystem->GetServerSegment(Which));
		}
	}
}

void UNetClockComponent::ClientReply_Implementation(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published)
{
	const int64 Arrived = NetClock::LocalTicks();
	const UWorld* World = GetWorld();
	UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	if (!Session || !Session->HandleReply(Reply, Arrived))
	{
		++RefusedReplies;
		return;
	}
	NewestReplyTicks = FMath::Max(NewestReplyTicks, Reply.SentTicks);
	NoteDelays(Reply);
	if (UNetClockSubsystem* Subsystem = World->GetSubsystem<UNetClockSubsystem>())
	{
		Subsystem->ConfirmSegments(Published, Reply.Epoch, Reply.SentTicks);
	}
}

// As the game meets them: a message leaves a frame with the time that it shows, and comes in another. The server received
// the probe, and makes what it sends, when its own frame begins.
void UNetClockComponent::NoteDelays(const FNetClockReply& Reply)
{
	const UNetClockSubsystem* Subsystem = GetWorld()->GetSubsystem<UNetClockSubsystem>();
	const TSharedPtr<FNetClockLead> Lead = GetWorld()->GetGameInstance()->GetSubsystem<UNetClockSession>()->GetLead();
	if (!Subsystem || !Subsystem->IsSynced() || !Lead.IsValid())
	{
		return;
	}
	for (int32 Index = 0; Index < OnTheirWay.Num(); ++Index)
	{
		if (OnTheirWay[Index].Id == Reply.Id)
		{
			Lead->NoteToServer(OnTheirWay[Index].Epoch, OnTheirWay[Index].ShownTicks, Reply.ReceivedTicks);
			OnTheirWay.RemoveAt(Index);
			break;
		}
	}
	Lead->NoteToClient(Subsystem->GetStatus().Epoch, Reply.ReceivedTicks, Subsystem->GetServerTimeTicks());
}

// What the newest reply that a player has says is when the server sent it. It can claim to have less than it has, and be taken for
// one with a longer way, as it could by being slow.
void UNetClockComponent::SeeRoundTrip(int64 ReceivedTicks, int64 HeardTicks)
{
	if (HeardTicks <= 0 || HeardTicks > ReceivedTicks)
	{
		return;
	}
	if (RoundTripSince == 0 || ReceivedTicks - RoundTripSince >= RoundTripSpan)
	{
		RoundTripBefore = RoundTripSince == 0 ? NoRoundTrip : RoundTrip;
		RoundTrip = NoRoundTrip;
		RoundTripSince = ReceivedTicks;
	}
	RoundTrip = FMath::Min(RoundTrip, ReceivedTicks - HeardTicks);
}

double UNetClockComponent::GetServerRoundTripMs() const
{
	const int64 Least = FMath::Min(RoundTrip, RoundTripBefore);
	return RoundTripSince == 0 || Least >= NoRoundTrip ? NetClock::UnknownMs : static_cast<double>(Least) * 1.0e-4;
}

void UNetClockComponent::ClientReplyReliably_Implementation(const FNetClockReply& Reply, const FNetClockWorldKnowledge& Published)
{
	ClientReply_Implementation(Reply, Published);
}

void UNetClockComponent::ClientSegment_Implementation(ENetClockWorldClock Clock, const FNetClockWorldSegment& Segment)
{
	if (UNetClockSubsystem* Subsystem = GetWorld() ? GetWorld()->GetSubsystem<UNetClockSubsystem>() : nullptr)
	{
		Subsystem->LearnSegment(Clock, Segment);
	}
}

void UNetClockComponent::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	Super::GetLifetimeReplicatedProps(OutLifetimeProps);
	DOREPLIFETIME(UNetClockComponent, StartNews);
	DOREPLIFETIME(UNetClockComponent, Authority);
}

bool UNetClockComponent::FollowStart(int32 World, const FNetClockClient& Client, int64 Now, FNetClockProgress& Progress)
{
	// Server and clients do not travel at the same moment.
	if (StartNews.World == 0 || StartNews.World != World)
	{
		return false;
	}
	if (!Participant.IsValid() || ParticipantWorld != World)
	{
		Participant = FNetClockParticipant::Create(FGuid::NewGuid());
		ParticipantWorld = World;
	}
	if (Participant.IsValid())
	{
		Progress = Participant->Tick(Client, Now);
	}
	return Participant.IsValid();
}

bool UNetClockComponent::TakeStartNews()
{
	const bool bNew = StartNews.StartedTicks != TakenStartTicks;
	TakenStartTicks = StartNews.StartedTicks;
	return bNew;
}

void UNetClockComponent::SendStartMessages()
{
	FNetClockDatagram Datagram;
	while (Participant.IsValid() && ParticipantWorld == StartNews.World && Participant->NextMessage(Datagram))
	{
		ServerStartMessage(ParticipantWorld, Datagram);
	}
}

void UNetClockComponent::ServerStartMessage_Implementation(int32 World, const FNetClockDatagram& Datagram)
{
	UNetClockStart* Start = GetWorld() ? GetWorld()->GetSubsystem<UNetClockStart>() : nullptr;
	if (!StartBudget.Spend(NetClock::LocalTicks(), StartMessagesInARow, StartMessagesPerSecond))
	{
		++DroppedStartMessages;
	}
	else if (Start)
	{
		Start->Receive(*this, World, Datagram);
	}
}

void UNetClockComponent::ClientStartMessage_Implementation(int32 World, const FNetClockDatagram& Datagram)
{
	if (Participant.IsValid() && World == ParticipantWorld)
	{
		Participant->Receive(Datagram);
	}
}
