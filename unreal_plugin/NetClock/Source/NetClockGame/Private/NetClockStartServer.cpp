// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Implements the server's part of a start.

#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Game/NetClockStart.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The longest countdown, in ms (one hour). */
	constexpr double LongestDelayMs = 3.6e6;

	/** The library's limits for the probability that the announcement reaches a player in time. */
	constexpr double LeastConfidence = 0.5;
	constexpr double MostConfidence = 0.99999;

	ENetClockHoldUp HoldUpOf(netclock::hold_up HoldUp)
	{
		return NetClock::Same<ENetClockHoldUp::TooSlow, netclock::hold_up::too_slow>(
			HoldUp, netclock::hold_up::silent);
	}
}

void UNetClockStart::PrepareStart()
{
	UNetClockSession* Session = UNetClockSession::Of(this);
	// Until the handover is decided, this server has no time to serve and therefore cannot schedule a start.
	const bool bUndecided = Session && Session->KeepsTime();
	if (bPrepared || bUndecided || !IsServer())
	{
		return;
	}
	bPrepared = true;
	netclock::host* Host = Session ? Session->GetHost() : nullptr;
	if (Host)
	{
		Session->SetReliedOnIn(GetWorld());
		static_cast<void>(Host->prepare_start());
	}
}

bool UNetClockStart::CheckIsServer(const TCHAR* Function) const
{
	if (!IsServer())
	{
		NetClock::ReportMisuse(Function,
			TEXT("this machine is a client, so nothing was done. Call it on the server: check Has Authority "
				 "first, or send a call to the server."));
	}
	return IsServer();
}

bool UNetClockStart::ScheduleStart(double MinimumDelayMs, double Confidence)
{
	const bool bInRange = MinimumDelayMs >= 0.0 && MinimumDelayMs <= LongestDelayMs &&
		Confidence > LeastConfidence && Confidence <= MostConfidence;
	if (!bInRange)
	{
		NetClock::ReportMisuse(TEXT("Schedule Start"),
			TEXT("a number is out of range. Pass a delay from 0 to 3600000 ms, and a confidence above 0.5 "
				 "and at most 0.99999."));
	}
	if (!bInRange || !CheckIsServer(TEXT("Schedule Start")) || IsStartScheduled())
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
	return true;
}

bool UNetClockStart::CancelStart()
{
	const int64 Now = ServerTicks();
	const bool bCancels = bWanted || (IsStartScheduled() && Now < Shown.AtTicks);
	if (!CheckIsServer(TEXT("Cancel Start")) || !bCancels)
	{
		return false;
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = !bWanted && Session ? Session->GetHost() : nullptr;
	if (Host)
	{
		static_cast<void>(Host->cancel_start(NetClock::ServerTime(Now)));
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

void UNetClockStart::ScheduleWhenReady()
{
	if (!bWanted)
	{
		return;
	}
	const int64 Now = ServerTicks();
	const int64 Earliest = Now + FMath::Max<int64>(1, NetClock::MsToTicks(WantedDelayMs));
	UNetClockSession* Session = UNetClockSession::Of(this);
	netclock::host* Host = Session ? Session->GetHost() : nullptr;
	if (!Host)
	{
		Schedule(Earliest, 0);
		return;
	}
	const auto Proposal =
		Host->propose_start(NetClock::ServerTime(Now), NetClock::ServerTime(Earliest), WantedConfidence);
	if (Proposal)
	{
		Schedule(NetClock::TicksOf(Proposal->at), static_cast<int32>(Proposal->not_ready));
	}
	else if (Proposal.code() == netclock::status::held_up)
	{
		Shown = FNetClockStartStatus();
		Shown.Stage = ENetClockStartStage::HeldUp;
		Shown.HoldUp = HoldUpOf(Proposal->reason);
		Shown.NotReady = static_cast<int32>(Proposal->not_ready);
		const UNetClockComponent* Player = Session->GetPlayer(Proposal->participant);
		Shown.HeldUpBy = Player ? Cast<APlayerController>(Player->GetOwner()) : nullptr;
	}
	else
	{
		UE_LOG(LogNetClock, Error, TEXT("The start could not be scheduled: %s"),
			UTF8_TO_TCHAR(netclock_last_error()));
		bWanted = false;
		NoteCancelled();
	}
}

void UNetClockStart::Schedule(int64 AtTicks, int32 NotReady)
{
	bWanted = false;
	Shown = FNetClockStartStatus();
	Shown.Stage = ENetClockStartStage::Scheduled;
	Shown.AtTicks = AtTicks;
	Shown.NotReady = NotReady;
	double SinceSeconds = 0.0;
	static_cast<void>(GetTimeSinceStart(SinceSeconds));
	OnStartScheduled.Broadcast(-SinceSeconds);
}

FNetClockPlayerStart UNetClockStart::GetPlayerStart(const APlayerController* Player) const
{
	FNetClockPlayerStart Known;
	const UNetClockComponent* Component = UNetClockComponent::Of(Player);
	UNetClockSession* Session = UNetClockSession::Of(this);
	const int32 Number = Component && Session && bPrepared ? Session->NumberOf(*Component) : -1;
	if (Number < 0 || !Session->GetHost())
	{
		return Known;
	}
	const auto Found = Session->GetHost()->player(static_cast<std::uint64_t>(Number),
		NetClock::ServerTime(UNetClockSubsystem::Of(this)->GetServerTimeTicks()));
	if (!Found)
	{
		return Known;
	}
	Known.HoldUp = HoldUpOf(Found->reason);
	Known.bIsReady = Known.HoldUp == ENetClockHoldUp::None;
	Known.ErrorBoundMs = NetClock::MsOf(Found->error_bound, NetClock::UnknownMs);
	Known.ExpectedErrorMs = NetClock::MsOf(Found->expected_error, NetClock::UnknownMs);
	Known.NoticeMs = NetClock::MsOf(Found->lead, NetClock::UnknownMs);
	Known.bWasReady = Found->counted;
	Known.bHasAcknowledged = Found->acknowledged;
	Known.bHasStarted = static_cast<bool>(Found->lateness);
	Known.LatenessMs = NetClock::MsOf(Found->lateness, 0.0);
	Known.LatenessBoundMs = NetClock::MsOf(Found->lateness_bound, NetClock::UnknownMs);
	return Known;
}

FNetClockStartResult UNetClockStart::GetStartResult() const
{
	FNetClockStartResult Result;
	double LatestMs = 0.0;
	double EarliestMs = NetClock::UnknownMs;
	const auto Count = [&](bool bAcknowledged, bool bStarted, double LatenessMs)
	{
		++Result.Expected;
		Result.Acknowledged += bAcknowledged ? 1 : 0;
		if (bStarted)
		{
			++Result.Started;
			LatestMs = FMath::Max(LatestMs, LatenessMs);
			EarliestMs = FMath::Min(EarliestMs, LatenessMs);
			Result.SpreadMs = LatestMs - EarliestMs;
		}
	};
	const ENetMode Mode = GetWorld()->GetNetMode();
	const bool bHostPlays = IsServer() && Mode != NM_DedicatedServer;
	if (bHostPlays && (HasStarted() || IsStartScheduled()))
	{
		Count(true, HasStarted(), Shown.LatenessMs);
	}
	for (FConstPlayerControllerIterator It = GetWorld()->GetPlayerControllerIterator(); It; ++It)
	{
		const FNetClockPlayerStart Known = GetPlayerStart(It->Get());
		if (Known.bWasReady)
		{
			Count(Known.bHasAcknowledged, Known.bHasStarted, Known.LatenessMs);
			const double BoundMs = Known.bHasStarted ? Known.LatenessBoundMs : 0.0;
			Result.ErrorBoundMs = FMath::Max(Result.ErrorBoundMs, BoundMs);
		}
	}
	return Result;
}
