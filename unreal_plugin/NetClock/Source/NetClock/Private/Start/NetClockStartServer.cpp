// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Starts: the part of the server.

#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Start/NetClockStart.h"
#include "Start/NetClockStartBackend.h"

namespace
{
	/** Longest countdown, in ms: an hour. */
	constexpr double LongestDelayMs = 3.6e6;

	/** Range of the probability to hear of a start in time: the library's limits. */
	constexpr double LeastConfidence = 0.5;
	constexpr double MostConfidence = 0.99999;
}

void UNetClockStart::PrepareStart()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	// Before a handover is decided, this server has no time to schedule by.
	const bool bUndecided = Session && (Session->KeepsTime() || Session->IsAsking());
	if (bPrepared || bUndecided || !IsServer())
	{
		return;
	}
	bPrepared = true;
	if (Session)
	{
		Session->SetStartPreparedIn(GetWorld());
	}
	if (Session && GetWorld()->GetNetMode() != NM_Standalone)
	{
		Organiser = FNetClockOrganiser::Create(Session->GetServerEpoch());
	}
}

bool UNetClockStart::ScheduleStart(double MinimumDelayMs, double Confidence)
{
	const bool bInRange = MinimumDelayMs >= 0.0 && MinimumDelayMs <= LongestDelayMs &&
		Confidence > LeastConfidence && Confidence <= MostConfidence;
	if (!bInRange || !IsServer() || IsStartScheduled())
	{
		return false;
	}
	PrepareStart();
	if (!bPrepared)
	{
		return false;
	}
	bWanted = true;
	WantedDelayMs = MinimumDelayMs;
	WantedConfidence = Confidence;
	if (Organiser.IsValid())
	{
		Organiser->SetMinimumDelay(NetClock::MsToTicks(WantedDelayMs));
	}
	return true;
}

bool UNetClockStart::CancelStart()
{
	const int64 Now = ServerTicks();
	const bool bTakesBack = bWanted || (IsStartScheduled() && Now < Shown.AtTicks);
	if (!IsServer() || !bTakesBack)
	{
		return false;
	}
	if (!bWanted && Organiser.IsValid())
	{
		// False if there were no players to tell.
		static_cast<void>(Organiser->Cancel(Now));
	}
	bWanted = false;
	NoteCancelled();
	return true;
}

int64 UNetClockStart::ServerTicks() const
{
	const UNetClockSession* Session = UNetClockSession::Of(this);
	return Session ? Session->ServerTicks(NetClock::LocalTicks()) : NetClock::LocalTicks();
}

void UNetClockStart::AdmitPlayers()
{
	if (!bPrepared)
	{
		return;
	}
	for (FPlayer& Player : Players)
	{
		Player.bSeen = false;
	}
	const FNetClockStartNews ToTell = News();
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		APlayerController* Controller = It->Get();
		UNetClockComponent* Component =
			Controller && !Controller->IsLocalController() ? UNetClockComponent::Of(Controller) : nullptr;
		if (!Component)
		{
			continue;
		}
		Component->StartNews = ToTell;
		int32 Index = Find(Component);
		if (Index < 0)
		{
			FPlayer Joined;
			Joined.Number = ++LastNumber;
			Joined.Controller = Controller;
			Joined.Component = Component;
			Index = Players.Add(Joined);
		}
		FPlayer& Player = Players[Index];
		Player.bSeen = true;
		Player.bAdmitted = Player.bAdmitted || (Organiser.IsValid() && Organiser->Admit(Player.Number));
	}
	for (const FPlayer& Player : Players)
	{
		if (!Player.bSeen && Player.bAdmitted)
		{
			Organiser->Remove(Player.Number);
		}
	}
	Players.RemoveAll([](const FPlayer& Player) { return !Player.bSeen; });
}

FNetClockStartNews UNetClockStart::News() const
{
	FNetClockStartNews Result;
	Result.bPrepared = true;
	Result.World = GetClock()->GetWorldKnowledge().World;
	Result.StartedTicks = BegunTicks;
	return Result;
}

void UNetClockStart::ScheduleWhenReady()
{
	if (!bWanted)
	{
		return;
	}
	const int64 Now = ServerTicks();
	if (!Organiser.IsValid() || Players.IsEmpty())
	{
		// There are no players to tell.
		Schedule(Now + NetClock::MsToTicks(WantedDelayMs), 0);
		return;
	}
	const FNetClockProposal Proposal = Organiser->Propose(Now, WantedConfidence);
	switch (Proposal.Result)
	{
	case FNetClockProposal::EResult::Scheduled:
		Schedule(Proposal.AtTicks, Proposal.NotReady);
		break;
	case FNetClockProposal::EResult::HeldUp:
		Shown = FNetClockStartStatus();
		Shown.Stage = ENetClockStartStage::HeldUp;
		Shown.HoldUp = Proposal.HoldUp;
		Shown.NotReady = Proposal.NotReady;
		HeldUpBy = Proposal.Player;
		break;
	case FNetClockProposal::EResult::Refused:
		bWanted = false;
		NoteCancelled();
		break;
	}
}

void UNetClockStart::Schedule(int64 AtTicks, int32 NotReady)
{
	bWanted = false;
	Shown = FNetClockStartStatus();
	Shown.Stage = ENetClockStartStage::Scheduled;
	Shown.AtTicks = AtTicks;
	Shown.NotReady = NotReady;
	OnStartScheduled.Broadcast(GetStartCountdownSeconds());
}

void UNetClockStart::Announce()
{
	const int64 Now = ServerTicks();
	int64 To = 0;
	FNetClockDatagram Datagram;
	while (Organiser.IsValid() && Organiser->NextMessage(Now, To, Datagram))
	{
		for (const FPlayer& Player : Players)
		{
			UNetClockComponent* Component = Player.Number == To ? Player.Component.Get() : nullptr;
			if (Component)
			{
				Component->Send(
					ENetClockSubject::Start, GetClock()->GetWorldKnowledge().World, Datagram);
			}
		}
	}
}

void UNetClockStart::Receive(const UNetClockComponent& From, int32 World, const FNetClockDatagram& Datagram)
{
	const int32 Index = Find(&From);
	if (Index >= 0 && Players[Index].bAdmitted && GetClock() &&
		World == GetClock()->GetWorldKnowledge().World)
	{
		Organiser->Receive(Players[Index].Number, Datagram, ServerTicks());
	}
}

int32 UNetClockStart::Find(const UNetClockComponent* Component) const
{
	for (int32 Index = 0; Index < Players.Num(); ++Index)
	{
		if (Component && Players[Index].Component == Component)
		{
			return Index;
		}
	}
	return -1;
}

APlayerController* UNetClockStart::GetStartHeldUpBy() const
{
	for (const FPlayer& Player : Players)
	{
		if (Player.Number == HeldUpBy && Shown.Stage == ENetClockStartStage::HeldUp)
		{
			return Player.Controller.Get();
		}
	}
	return nullptr;
}

FNetClockPlayerStart UNetClockStart::GetPlayerStart(const APlayerController* Controller) const
{
	const int32 Index = Find(UNetClockComponent::Of(Controller));
	const bool bKnown = Index >= 0 && Players[Index].bAdmitted && GetClock();
	return bKnown ? Organiser->Read(Players[Index].Number, GetClock()->GetServerTimeTicks())
				  : FNetClockPlayerStart();
}

FNetClockStartResult UNetClockStart::GetStartResult() const
{
	FNetClockStartResult Result;
	TArray<double> LatenessMs;
	const UWorld* World = GetWorld();
	const bool bHostPlays =
		World && (World->GetNetMode() == NM_ListenServer || World->GetNetMode() == NM_Standalone);
	if (IsServer() && bHostPlays && (HasStarted() || IsStartScheduled()))
	{
		Result.Expected = Result.Heard = 1;
		if (HasStarted())
		{
			LatenessMs.Add(Shown.LatenessMs);
		}
	}
	for (const FPlayer& Player : Players)
	{
		const FNetClockPlayerStart Known = Player.bAdmitted && GetClock()
			? Organiser->Read(Player.Number, GetClock()->GetServerTimeTicks())
			: FNetClockPlayerStart();
		Result.Expected += Known.bWasReady ? 1 : 0;
		Result.Heard += Known.bWasReady && Known.bHasHeard ? 1 : 0;
		if (Known.bWasReady && Known.bHasStarted)
		{
			LatenessMs.Add(Known.LatenessMs);
			Result.ErrorBoundMs = FMath::Max(Result.ErrorBoundMs, Known.LatenessBoundMs);
		}
	}
	Result.Started = LatenessMs.Num();
	if (!LatenessMs.IsEmpty())
	{
		LatenessMs.StableSort([](double A, double B) { return A < B; });
		const int32 Last = LatenessMs.Num() - 1;
		Result.SpreadMs = LatenessMs[Last] - LatenessMs[0];
		Result.MedianLatenessMs = LatenessMs[Last / 2];
		Result.P99LatenessMs = LatenessMs[FMath::Min(Last, LatenessMs.Num() * 99 / 100)];
	}
	return Result;
}
