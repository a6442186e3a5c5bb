// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockUtc.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClockCLibrary.h"

namespace
{
	/** FDateTime counts ticks from the year 1, and NetClock counts them from 1970. LastTicks is the last tick
	 * of the year 9999. */
	constexpr int64 TicksTo1970 = 621355968000000000;
	constexpr int64 LastTicks = 3155378975999999999;

	/** The smallest correction to report, in ticks. */
	constexpr int64 LeastJumpTicks = NetClock::TicksPerSecond / 100;
}

UNetClockUtc* UNetClockUtc::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockUtc>()
											 : nullptr;
}

void UNetClockUtc::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndingHandle = UNetClockSubsystem::OnFrameEnding.AddUObject(this, &UNetClockUtc::OnFrameEnding);
}

void UNetClockUtc::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnding.Remove(FrameEndingHandle);
	Super::Deinitialize();
}

// This delegate is broadcast for every game in the process, including other PIE games.
void UNetClockUtc::OnFrameEnding(UWorld* World)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(World);
	if (!Clock || World->GetGameInstance() != GetGameInstance())
	{
		return;
	}
	if (World->GetNetMode() == NM_Client)
	{
		Follow(Clock->GetStatus());
	}
	else
	{
		Observe(Clock->GetStatus());
	}
}

bool UNetClockUtc::IsServer() const
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	return World && World->GetNetMode() != NM_Client && !NetClock::IsReplay(*World);
}

bool UNetClockUtc::Knows(const FNetClockStatus& Status) const
{
	return Status.bIsSynced && KnownEpoch != 0 && KnownEpoch == Status.ServerEpoch;
}

bool UNetClockUtc::GetServerUtc(const UObject* WorldContextObject, FDateTime& Utc, double& ErrorBoundMs)
{
	Utc = FDateTime();
	ErrorBoundMs = NetClock::UnknownMs;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	const UNetClockUtc* Known = Of(WorldContextObject);
	if (Known && !NetClock::IsLibraryUsable() && Known->IsServer())
	{
		// The server can read its own UTC without the library.
		Utc = FDateTime::UtcNow();
		return true;
	}
	if (!Clock || !Known || !Known->Knows(Clock->GetStatus()))
	{
		return false;
	}
	Utc = FDateTime(TicksTo1970 + Known->KnownZeroTicks + Clock->GetServerTimeTicks());
	const UNetClockSession* Session = UNetClockSession::Of(WorldContextObject);
	const bool bStated = Known->ServerErrorMs >= 0.0 && Known->ServerErrorMs < NetClock::UnknownMs;
	if (Known->IsServer() && bStated)
	{
		const int64 Passed = FMath::Max<int64>(0, Clock->GetFrameTicks() - Known->ObservedTicks);
		ErrorBoundMs = Known->ServerErrorMs + Known->UncertaintyMs +
			NetClock::TicksToMs(Passed) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 0.5e-6;
	}
	else if (!Known->IsServer() && Session && Session->GetGuest())
	{
		ErrorBoundMs = NetClock::MsOf(Session->GetGuest()->utc()->error_bound, NetClock::UnknownMs);
	}
	return true;
}

bool UNetClockUtc::GetServerTimeOfUtc(const UObject* WorldContextObject, FDateTime Utc, int64& ServerTicks)
{
	ServerTicks = 0;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	const UNetClockUtc* Known = Of(WorldContextObject);
	if (!Clock || !Known || !Known->Knows(Clock->GetStatus()) || Utc.GetTicks() < TicksTo1970)
	{
		return false;
	}
	// The date can be any number, so we clamp it to keep the difference from overflowing.
	ServerTicks = FMath::Clamp<int64>(Utc.GetTicks(), 0, LastTicks) - TicksTo1970 - Known->KnownZeroTicks;
	return true;
}

void UNetClockUtc::Observe(const FNetClockStatus& Status)
{
	UNetClockSession* Session = UNetClockSession::Of(GetGameInstance());
	netclock::host* Host = Session && Status.bIsSynced ? Session->GetHost() : nullptr;
	const bool bIsNew = Host && KnownEpoch != Session->GetServerEpoch();
	if (!Host || (!bIsNew && NetClock::LocalTicks() - ObservedTicks < NetClock::TicksPerSecond))
	{
		return;
	}
	ObservedTicks = NetClock::LocalTicks();
	const auto Now = netclock::utc_now();
	if (!Now)
	{
		return;
	}
	UncertaintyMs = NetClock::MsOf(Now->uncertainty);
	std::optional<netclock::ticks> Error = NetClock::SpanOf(ServerErrorMs, NetClock::UnknownMs);
	if (Error)
	{
		*Error += Now->uncertainty;
	}
	const int64 At = Session->ServerTicks(NetClock::TicksOf(Now->local));
	static_cast<void>(Host->observe_utc(NetClock::ServerTime(At), Now->utc, Error));
	Note(NetClock::TicksOf(Now->utc) - At, Session->GetServerEpoch());
}

void UNetClockUtc::Follow(const FNetClockStatus& Status)
{
	const UNetClockSession* Session = UNetClockSession::Of(GetGameInstance());
	if (!Session || !Session->GetGuest() || !Status.bIsSynced)
	{
		return;
	}
	if (const auto Shown = Session->GetGuest()->utc())
	{
		Note(NetClock::TicksOf(Shown->utc) - Status.ServerTicks, Status.ServerEpoch);
	}
}

void UNetClockUtc::Note(int64 ZeroTicks, int64 Epoch)
{
	const bool bFirst = KnownEpoch != Epoch;
	const int64 JumpTicks = bFirst ? 0 : ZeroTicks - KnownZeroTicks;
	KnownZeroTicks = ZeroTicks;
	KnownEpoch = Epoch;
	if (bFirst || FMath::Abs(JumpTicks) >= LeastJumpTicks)
	{
		OnServerUtcChanged.Broadcast(NetClock::TicksToSeconds(JumpTicks));
	}
}
