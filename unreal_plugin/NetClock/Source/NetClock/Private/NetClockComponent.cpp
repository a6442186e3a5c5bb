// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockComponent.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClockBackend.h"
#include "NetClockLog.h"
#include "NetClockSession.h"
#include "NetClockSettings.h"

namespace
{
	/** Probes of one player that are answered in one frame. Lost ones are repeated; a queue would only grow old. */
	constexpr int32 MaxPending = 8;
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
	FNetClockRequest Request;
	bool bReliable = false;
	if (!Session->GetClient()->Tick(NetClock::LocalTicks(), Request, bReliable))
	{
		return;
	}
	++SentProbes;
	if (bReliable)
	{
		ServerProbeReliably(Request.Id, Request.ClientTicks);
	}
	else
	{
		ServerProbe(Request.Id, Request.ClientTicks);
	}
}

void UNetClockComponent::ServerProbe_Implementation(int64 Id, int64 ClientTicks)
{
	ReceiveProbe(Id, ClientTicks, false);
}

void UNetClockComponent::ServerProbeReliably_Implementation(int64 Id, int64 ClientTicks)
{
	ReceiveProbe(Id, ClientTicks, true);
}

void UNetClockComponent::ReceiveProbe(int64 Id, int64 ClientTicks, bool bReliable)
{
	const int64 Now = NetClock::LocalTicks();
	if (Pending.Num() >= MaxPending || !SpendOne(Now))
	{
		// Dropped, not punished: a player must not be thrown out for a clock.
		if (++DroppedProbes == 1)
		{
			UE_LOG(LogNetClock, Verbose, TEXT("A player asks for the time more often than is answered."));
		}
		return;
	}
	FPending Asked;
	Asked.Request.Id = Id;
	Asked.Request.ClientTicks = ClientTicks;
	Asked.ReceivedTicks = Now;
	Asked.bReliable = bReliable;
	Pending.Add(Asked);
}

bool UNetClockComponent::SpendOne(int64 Now)
{
	const UNetClockSettings& Settings = UNetClockSettings::Get();
	const double BudgetSize = static_cast<double>(Settings.AnswersInARow);
	const double Elapsed = static_cast<double>(Now - BudgetAt) / static_cast<double>(NetClock::TicksPerSecond);
	Budget = BudgetAt == 0 ? BudgetSize : FMath::Min(BudgetSize, Budget + FMath::Max(0.0, Elapsed) * static_cast<double>(Settings.AnswersPerSecondAndPlayer));
	BudgetAt = Now;
	if (Budget < 1.0)
	{
		return false;
	}
	Budget -= 1.0;
	return true;
}

void UNetClockComponent::SendReplies(int32& Answered, int32& Dropped)
{
	Dropped += static_cast<int32>(DroppedProbes - DroppedBefore);
	DroppedBefore = DroppedProbes;
	if (Pending.IsEmpty())
	{
		return;
	}
	const UWorld* World = GetWorld();
	UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	const TSharedPtr<FNetClockServer> Server = Session ? Session->GetServer() : nullptr;
	for (const FPending& Asked : Pending)
	{
		FNetClockReply Reply;
		if (!Server.IsValid() || !Server->Answer(Asked.Request, Asked.ReceivedTicks, NetClock::LocalTicks(), Reply))
		{
			continue;
		}
		++AnsweredProbes;
		++Answered;
		if (Asked.bReliable)
		{
			ClientReplyReliably(Reply.Id, Reply.Epoch, Reply.ReceivedTicks, Reply.SentTicks);
		}
		else
		{
			ClientReply(Reply.Id, Reply.Epoch, Reply.ReceivedTicks, Reply.SentTicks);
		}
	}
	Pending.Reset();
}

void UNetClockComponent::ClientReply_Implementation(int64 Id, int64 Epoch, int64 ReceivedTicks, int64 SentTicks)
{
	FNetClockReply Reply;
	Reply.Id = Id;
	Reply.Epoch = Epoch;
	Reply.ReceivedTicks = ReceivedTicks;
	Reply.SentTicks = SentTicks;
	ReceiveReply(Reply);
}

void UNetClockComponent::ClientReplyReliably_Implementation(int64 Id, int64 Epoch, int64 ReceivedTicks, int64 SentTicks)
{
	ClientReply_Implementation(Id, Epoch, ReceivedTicks, SentTicks);
}

void UNetClockComponent::ReceiveReply(const FNetClockReply& Reply)
{
	const int64 Arrived = NetClock::LocalTicks();
	const UWorld* World = GetWorld();
	const UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
	if (!Session || !Session->GetClient().IsValid() || !Session->GetClient()->HandleReply(Reply, Arrived))
	{
		++RefusedReplies;
	}
}
