// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockWatch.h"

#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The longest time for which one call can make the watch ignore a clock, in seconds (one hour). */
	constexpr double MostExcused = 3600.0;

	ENetClockSuspicion SuspicionOf(netclock::rate_level Level)
	{
		return NetClock::Same<ENetClockSuspicion::Proven, netclock::rate_level::proven>(Level);
	}
}

UNetClockWatch* UNetClockWatch::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World ? World->GetSubsystem<UNetClockWatch>() : nullptr;
}

void UNetClockWatch::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndedHandle = UNetClockSubsystem::OnFrameEnded.AddUObject(this, &UNetClockWatch::OnFrameEnded);
}

void UNetClockWatch::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnded.Remove(FrameEndedHandle);
	Super::Deinitialize();
}

int32 UNetClockWatch::NumberOf(const APlayerController* Player) const
{
	const UNetClockComponent* Component = UNetClockComponent::Of(Player);
	UNetClockSession* Session = UNetClockSession::Of(this);
	return Component && Session && Session->GetHost() ? Session->NumberOf(*Component) : -1;
}

void UNetClockWatch::OnFrameEnded(UWorld* World)
{
	const ENetMode Mode = World->GetNetMode();
	if (World != GetWorld() || (Mode != NM_DedicatedServer && Mode != NM_ListenServer))
	{
		return;
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	const int64 Now = NetClock::LocalTicks();
	const bool bAsks = Now - MeasuredTicks >= NetClock::TicksPerSecond;
	MeasuredTicks = bAsks ? Now : MeasuredTicks;
	Watched.RemoveAll([](const FWatched& It) { return !It.Player.IsValid(); });
	// Report findings after the loop, because a listener may kick a player.
	TArray<FWatched> Found;
	for (FConstPlayerControllerIterator It = World->GetPlayerControllerIterator(); It; ++It)
	{
		APlayerController* Player = It->Get();
		const int32 Number = NumberOf(Player);
		if (Number < 0)
		{
			continue;
		}
		const int32 Findings = GetPlayerVerdict(Player).Findings;
		FWatched* Known =
			Watched.FindByPredicate([Player](const FWatched& Each) { return Each.Player == Player; });
		if (!Known)
		{
			Watched.Add({Player, 0, false});
			Known = &Watched[Watched.Num() - 1];
		}
		if (bAsks && (bMeasures || !Known->bIsMeasured))
		{
			const auto Measured = Session->GetHost()->round_trip(
				static_cast<std::uint64_t>(Number), NetClock::ServerTime(Session->ServerTicks(Now)));
			Known->bIsMeasured = static_cast<bool>(Measured);
		}
		if (Findings != Known->Findings)
		{
			Found.Add({Player, Findings, true});
			Known->Findings = Findings;
		}
	}
	for (const FWatched& One : Found)
	{
		if (APlayerController* Player = One.Player.Get())
		{
			OnPlayerClockSuspected.Broadcast(Player, GetPlayerVerdict(Player));
		}
	}
}

FNetClockVerdict UNetClockWatch::GetPlayerVerdict(const APlayerController* Player) const
{
	FNetClockVerdict Result;
	const int32 Number = NumberOf(Player);
	if (Number < 0)
	{
		return Result;
	}
	UNetClockSession* Session = UNetClockSession::Of(this);
	const auto Verdict = Session->GetHost()->player(static_cast<std::uint64_t>(Number),
		NetClock::ServerTime(Session->ServerTicks(UNetClockSubsystem::Of(this)->GetFrameTicks())));
	Result.Level = SuspicionOf(Verdict->level);
	Result.Worst = SuspicionOf(Verdict->worst);
	Result.Finding =
		NetClock::Same<ENetClockFinding::Removed, netclock::rate_finding::removed>(Verdict->finding);
	Result.Findings = static_cast<int32>(Verdict->findings);
	Result.GainedMs = NetClock::MsOf(Verdict->rate_gained);
	Result.DurationSeconds = NetClock::MsOf(Verdict->rate_duration) * 1.0e-3;
	Result.bIsRateKnown = Verdict->is_mean_known;
	Result.RatePpm = Verdict->mean_ppm;
	Result.RateErrorPpm = Verdict->mean_error_ppm;
	return Result;
}

void UNetClockWatch::ExcusePlayerClockSeconds(APlayerController* Player, double Seconds)
{
	const int32 Number = NumberOf(Player);
	if (Number >= 0 && FMath::IsFinite(Seconds) && Seconds >= 0.0)
	{
		UNetClockSession* Session = UNetClockSession::Of(this);
		const int64 Now = Session->ServerTicks(NetClock::LocalTicks());
		const int64 Until = Now + NetClock::SecondsToTicks(FMath::Min(Seconds, MostExcused));
		static_cast<void>(Session->GetHost()->excuse(
			static_cast<std::uint64_t>(Number), NetClock::ServerTime(Now), NetClock::ServerTime(Until)));
	}
}
