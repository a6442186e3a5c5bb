// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockHandover.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The library's limit on the dispersion, in ms. */
	constexpr double MaxDispersionMs = 4294967295.0e-4;

	/** How much the dispersion grows between announcements, in ms. At a drift of 100 ppm, this takes 10 s. */
	constexpr double DispersionStepMs = 1.0;

	/** The library's limit on the absolute value of instants, in ticks. */
	constexpr int64 MostTicks = int64(1) << 62;

	/** Returns false if a bound is unknown or too large to announce. */
	bool IsDispersion(double Ms) { return Ms >= 0.0 && Ms <= MaxDispersionMs; }
}

UNetClockHandover* UNetClockHandover::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockHandover>()
											 : nullptr;
}

ENetClockContinuation UNetClockHandover::ContinueTimeOfPreviousServer()
{
	if (!NetClock::IsLibraryUsable())
	{
		return Refuse(ENetClockContinuation::NoLibrary);
	}
	UNetClockSession* Session = GetSession();
	if (IsServerWorld() && Continuation == ENetClockContinuation::Continued &&
		!Session->ReadClient(NetClock::LocalTicks()).bIsSynced)
	{
		return Continuation;
	}
	if (IsTooLate())
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	FNetClockAuthority Known;
	if (!Session->KeepTime() || !GetFollowed(Known))
	{
		Session->EndKeeping();
		return Refuse(ENetClockContinuation::NotSynced);
	}
	if (!bListens)
	{
		// The delegates only hold weak references to this object.
		bListens = true;
		Session->OnServing.AddUObject(this, &UNetClockHandover::BeginServing);
		Session->OnDecided.AddUObject(this, &UNetClockHandover::Follow);
	}
	bWaits = true;
	Continuation = ENetClockContinuation::Kept;
	if (IsServerWorld())
	{
		BeginServing(*Session);
	}
	return Continuation;
}

ENetClockContinuation UNetClockHandover::Refuse(ENetClockContinuation Why)
{
	// `TooLate` does not overwrite an earlier decision.
	Continuation = Why == ENetClockContinuation::TooLate ? Continuation : Why;
	return Why;
}

void UNetClockHandover::BeginServing(UNetClockSession& Session)
{
	if (!bWaits)
	{
		return;
	}
	const int64 Now = NetClock::LocalTicks();
	const FNetClockStatus Own = Session.ReadClient(Now);
	FNetClockAuthority Known;
	const bool bKnows = Session.KeepsTime() && Own.bIsSynced && GetFollowed(Known) &&
		IsDispersion(Own.ErrorBoundMs + Known.DispersionMs);
	if (bKnows)
	{
		Serve(Known.Timescale, Own.ServerTicks - Now, Own.ErrorBoundMs + Known.DispersionMs);
	}
	else
	{
		UE_LOG(LogNetClock, Warning,
			TEXT("The time of the previous server could not be continued, because this machine no longer "
				 "knows it. This server has its own time."));
	}
	Session.EndKeeping();
	Decide(bKnows ? ENetClockContinuation::Continued : ENetClockContinuation::NotSynced);
}

void UNetClockHandover::Follow(bool bFollows)
{
	Decide(bFollows ? ENetClockContinuation::Followed : ENetClockContinuation::OtherServer);
}

void UNetClockHandover::Decide(ENetClockContinuation Result)
{
	bWaits = false;
	Continuation = Result;
	OnContinuationDecided.Broadcast(Result, GetTimeAuthority().DispersionMs);
}

ENetClockContinuation UNetClockHandover::TakeTimeFrom(
	int64 Timescale, int64 OutsideTicks, double ErrorBoundMs)
{
	if (!NetClock::IsLibraryUsable())
	{
		return Refuse(ENetClockContinuation::NoLibrary);
	}
	UNetClockSession* Session = GetSession();
	const int64 Now = NetClock::LocalTicks();
	const bool bAgain =
		GetServed().Timescale == Timescale && Continuation == ENetClockContinuation::Continued;
	if (!bAgain && IsTooLate())
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	if (OutsideTicks <= -MostTicks || OutsideTicks >= MostTicks || !IsDispersion(ErrorBoundMs))
	{
		return bAgain ? ENetClockContinuation::OutOfRange : Refuse(ENetClockContinuation::OutOfRange);
	}
	const int64 Offset = OutsideTicks - Now;
	if (!bAgain)
	{
		Serve(Timescale, Offset, ErrorBoundMs);
		Decide(ENetClockContinuation::Continued);
		return Continuation;
	}
	const double ApartMs =
		NetClock::TicksToMs(FMath::Abs(Session->ServerTicks(Now) - Now - Offset)) + ErrorBoundMs;
	if (!IsDispersion(ApartMs))
	{
		return ENetClockContinuation::OutOfRange;
	}
	Served.DispersionMs = ApartMs;
	ServedTicks = Now;
	return Continuation;
}

FNetClockAuthority UNetClockHandover::GetTimeAuthority() const
{
	const UNetClockSession* Session = GetSession();
	FNetClockAuthority Known;
	if (!Session)
	{
		return Known;
	}
	const UWorld* World = GetGameInstance()->GetWorld();
	const bool bClient = Session->KeepsTime() || (World && World->GetNetMode() == NM_Client);
	if (!bClient)
	{
		return GetServed();
	}
	if (!Session->IsUnconfirmed())
	{
		static_cast<void>(GetFollowed(Known));
	}
	return Known;
}

void UNetClockHandover::Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs)
{
	GetSession()->ServeOffset(OffsetTicks);
	Served.ServerEpoch = GetSession()->GetServerEpoch();
	Served.Timescale = Timescale;
	Served.DispersionMs = DispersionMs;
	ServedTicks = NetClock::LocalTicks();
}

FNetClockAuthority UNetClockHandover::GetServed() const
{
	FNetClockAuthority Now = Served;
	const int64 Epoch = GetSession()->GetServerEpoch();
	if (Served.ServerEpoch != Epoch)
	{
		// In this case, the server serves its own timescale.
		Now.ServerEpoch = Now.Timescale = Epoch;
		Now.DispersionMs = 0.0;
		return Now;
	}
	const double PassedMs = NetClock::TicksToMs(NetClock::LocalTicks() - ServedTicks);
	Now.DispersionMs +=
		FMath::Max(0.0, PassedMs) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 1.0e-6;
	return Now;
}

bool UNetClockHandover::GetFollowed(FNetClockAuthority& Authority) const
{
	if (!GetSession()->GetGuest())
	{
		return false;
	}
	const auto Known =
		netclock::authority_of(
			GetSession()->GetGuest()->clock(), NetClock::LocalTime(NetClock::LocalTicks()));
	if (Known)
	{
		Authority.ServerEpoch = static_cast<int64>(Known->epoch);
		Authority.Timescale = static_cast<int64>(Known->timescale);
		Authority.DispersionMs = NetClock::MsOf(Known->dispersion);
	}
	return static_cast<bool>(Known);
}

void UNetClockHandover::StateAuthority() const
{
	netclock::host* Host = IsServerWorld() ? GetSession()->GetHost() : nullptr;
	if (Host)
	{
		const FNetClockAuthority Now = GetServed();
		const double StatedMs = Now.Timescale == Now.ServerEpoch
			? Now.DispersionMs
			: (FMath::FloorToDouble(Now.DispersionMs / DispersionStepMs) + 1.0) * DispersionStepMs;
		static_cast<void>(Host->state_authority({static_cast<std::uint64_t>(Now.ServerEpoch),
			static_cast<std::uint64_t>(Now.Timescale), netclock::ticks{NetClock::MsToTicks(StatedMs)}}));
	}
}

void UNetClockHandover::OnFrameEnding(UWorld* World)
{
	if (World->GetGameInstance() == GetGameInstance())
	{
		StateAuthority();
	}
}

bool UNetClockHandover::IsServerWorld() const
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	return World && (World->GetNetMode() == NM_DedicatedServer || World->GetNetMode() == NM_ListenServer);
}

bool UNetClockHandover::IsTooLate() const
{
	return IsServerWorld() &&
		(GetSession()->HasAnswered() || GetSession()->IsReliedOnIn(GetGameInstance()->GetWorld()));
}

UNetClockSession* UNetClockHandover::GetSession() const
{
	return GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
}

void UNetClockHandover::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	FrameEndingHandle = UNetClockSubsystem::OnFrameEnding.AddUObject(this, &UNetClockHandover::OnFrameEnding);
}

void UNetClockHandover::Deinitialize()
{
	UNetClockSubsystem::OnFrameEnding.Remove(FrameEndingHandle);
	Super::Deinitialize();
}
