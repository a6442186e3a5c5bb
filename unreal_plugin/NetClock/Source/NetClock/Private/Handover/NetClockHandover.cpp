// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Handover/NetClockHandover.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "Clock/NetClockBackend.h"
#include "Exchange/NetClockComponent.h"
#include "Handover/NetClockHandoverBackend.h"
#include "Base/NetClockLog.h"
#include "Clock/NetClockSession.h"
#include "Start/NetClockStart.h"

namespace
{
	/** Players whose answers are kept: as many as the library keeps. */
	constexpr int32 MaxPlayers = 64;

	/** How many may be wrong, at most: that of the library. */
	constexpr int32 MaxLiars = 31;

	/** How long players can be waited for, in seconds: nobody has a time meanwhile. */
	constexpr double LeastPatience = 0.1;
	constexpr double MostPatience = 60.0;

	/** Largest dispersion that can be stated, in ms: that of the library. */
	constexpr double MaxDispersionMs = 4294967295.0e-4;
}

ENetClockContinuation UNetClockHandover::ContinueTimeOfPreviousServer()
{
	FPlan Wanted;
	Wanted.bIsThere = true;
	return Begin(Wanted);
}

ENetClockContinuation UNetClockHandover::ContinueTimeWithPlayers(int64 Timescale, int32 NumPlayers, int32 Liars, double PatienceSeconds)
{
	const bool bInRange = NumPlayers >= 1 && NumPlayers <= MaxPlayers && Liars >= 0 && Liars <= MaxLiars && PatienceSeconds >= LeastPatience && PatienceSeconds <= MostPatience;
	FPlan Wanted;
	Wanted.bIsThere = true;
	Wanted.Timescale = Timescale;
	Wanted.Players = NumPlayers;
	Wanted.Liars = Liars;
	Wanted.PatienceSeconds = PatienceSeconds;
	return bInRange ? Begin(Wanted) : Refuse(ENetClockContinuation::OutOfRange);
}

ENetClockContinuation UNetClockHandover::Begin(const FPlan& Wanted)
{
	if (!NetClock::IsLibraryUsable())
	{
		return Refuse(ENetClockContinuation::NoLibrary);
	}
	if (IsServerWorld() && Continuation == ENetClockContinuation::Continued && !GetSession()->GetClient().IsValid())
	{
		return Continuation;
	}
	if (IsTooLate() || IsAsking())
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	// Without a clock of its own a server can still ask by name.
	if (!GetSession()->KeepTime() && Wanted.Timescale == 0)
	{
		return Refuse(ENetClockContinuation::NotSynced);
	}
	Plan = Wanted;
	Continuation = ENetClockContinuation::Kept;
	if (IsServerWorld())
	{
		BeginServing();
	}
	return Continuation;
}

ENetClockContinuation UNetClockHandover::Refuse(ENetClockContinuation Why)
{
	// What was decided before, or is being found out, stays.
	if (!IsAsking() && Why != ENetClockContinuation::TooLate)
	{
		Continuation = Why;
	}
	return Why;
}

void UNetClockHandover::BeginServing()
{
	UNetClockSession* Session = GetSession();
	if (!Session)
	{
		return;
	}
	const int64 Now = NetClock::LocalTicks();
	if (Plan.bIsThere)
	{
		Plan.bIsThere = false;
		FNetClockAuthority Known;
		const TSharedPtr<FNetClockClient> Client = Session->KeepsTime() ? Session->GetClient() : nullptr;
		const bool bKnows = Client.IsValid() && Client->GetAuthority(Now, Known) && (Plan.Timescale == 0 || Plan.Timescale == Known.Timescale);
		Adoption = FNetClockAdoption::Create(bKnows ? Known.Timescale : Plan.Timescale, Plan.Liars, FGuid::NewGuid());
		if (Adoption.IsValid() && bKnows)
		{
			static_cast<void>(Adoption->Trust(*Client, Now));
		}
		if (!bKnows)
		{
			Session->EndKeeping();
		}
		Players.Reset();
		Deadline = Now + static_cast<int64>(Plan.PatienceSeconds * static_cast<double>(NetClock::TicksPerSecond));
		Continuation = ENetClockContinuation::Asking;
	}
	if (IsAsking())
	{
		Settle();
	}
}

void UNetClockHandover::Settle()
{
	UNetClockSession* Session = GetSession();
	const int64 Now = NetClock::LocalTicks();
	FNetClockAdopted Adopted;
	const ENetClockContinuation Result = Adoption->Settle(Now, Adopted);
	const bool bKnows = Session->KeepsTime();
	const bool bAll = Result == ENetClockContinuation::Continued && Adopted.Answers - (bKnows ? 1 : 0) >= Plan.Players;
	if (!bAll && Now < Deadline)
	{
		return;
	}
	Adoption.Reset();
	Players.Reset();
	if (Result == ENetClockContinuation::Continued)
	{
		// What was shown here does not go back: where all others are behind it, it stays, and says so.
		const int64 Shown = bKnows ? Session->GetClient()->CurrentServerTicks(Now) - Now : Adopted.OffsetTicks;
		const int64 Offset = FMath::Max(Adopted.OffsetTicks, Shown);
		Session->Serve(Adopted.Timescale, Offset, Adopted.DispersionMs + static_cast<double>(Offset - Adopted.OffsetTicks) * 1.0e-4);
	}
	else
	{
		UE_LOG(LogNetClock, Warning, TEXT("The time of the previous server is not taken over: what is known of it does not suffice, or contradicts itself. This server has a time of its own."));
	}
	Session->EndKeeping();
	Decide(Result);
}

void UNetClockHandover::Decide(ENetClockContinuation Result)
{
	// On a client there is nothing to serve later on.
	Plan.bIsThere = false;
	Continuation = Result;
	OnContinuationDecided.Broadcast(Result, GetTimeAuthority().DispersionMs);
}

ENetClockContinuation UNetClockHandover::TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs)
{
	if (!NetClock::IsLibraryUsable())
	{
		return Refuse(ENetClockContinuation::NoLibrary);
	}
	UNetClockSession* Session = GetSession();
	const int64 Now = NetClock::LocalTicks();
	const FNetClockAuthority Served = Session->GetServedAuthority();
	const bool bAgain = Served.Timescale == Timescale && Continuation == ENetClockContinuation::Continued;
	if (!bAgain && (IsTooLate() || IsAsking()))
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	const TSharedPtr<FNetClockAdoption> Outside = FNetClockAdoption::Create(Timescale, 0, FGuid::NewGuid());
	FNetClockAdopted Adopted;
	if (!Outside.IsValid() || !Outside->Trust(OutsideTicks, ErrorBoundMs, Now) || Outside->Settle(Now, Adopted) != ENetClockContinuation::Continued)
	{
		return bAgain ? ENetClockContinuation::OutOfRange : Refuse(ENetClockContinuation::OutOfRange);
	}
	if (!bAgain)
	{
		Session->Serve(Timescale, Adopted.OffsetTicks, Adopted.DispersionMs);
		Decide(ENetClockContinuation::Continued);
		return Continuation;
	}
	const double ApartMs = static_cast<double>(FMath::Abs(Session->ServerTicks(Now) - Now - Adopted.OffsetTicks)) * 1.0e-4;
	if (ApartMs + Adopted.DispersionMs > MaxDispersionMs)
	{
		return ENetClockContinuation::OutOfRange;
	}
	Session->Restate(ApartMs + Adopted.DispersionMs);
	return Continuation;
}

FNetClockAuthority UNetClockHandover::GetTimeAuthority() const
{
	const UNetClockSession* Session = GetSession();
	FNetClockAuthority Known;
	if (!Session || IsAsking())
	{
		return Known;
	}
	const UWorld* World = GetGameInstance()->GetWorld();
	const bool bClient = Session->KeepsTime() || (World && World->GetNetMode() == NM_Client);
	if (!bClient)
	{
		return Session->GetServedAuthority();
	}
	if (Session->GetClient().IsValid() && !Session->IsUnproved())
	{
		static_cast<void>(Session->GetClient()->GetAuthority(NetClock::LocalTicks(), Known));
	}
	return Known;
}

bool UNetClockHandover::LearnTimeAuthority(const FNetClockAuthority& Authority)
{
	UNetClockSession* Session = GetSession();
	return Session && Session->LearnAuthority(Authority);
}

bool UNetClockHandover::Ask(UNetClockComponent& Player, FNetClockDatagram& Question)
{
	if (!IsAsking())
	{
		return false;
	}
	int32 Index = Find(Player);
	for (int32 Place = 0; Index < 0 && Place < Players.Num(); ++Place)
	{
		Index = Players[Place].IsValid() ? -1 : Place;
	}
	Index = Index < 0 && Players.Num() < MaxPlayers ? Players.Add(TWeakObjectPtr<UNetClockComponent>()) : Index;
	if (Index < 0)
	{
		return false;
	}
	Players[Index] = &Player;
	return Adoption->Ask(Index, NetClock::LocalTicks(), Question);
}

void UNetClockHandover::Hear(UNetClockComponent& Player, const FNetClockDatagram& Answer, int64 Arrived)
{
	const int32 Index = Find(Player);
	if (IsAsking() && Index >= 0)
	{
		Adoption->Hear(Index, Answer, Arrived);
	}
}

int32 UNetClockHandover::Find(const UNetClockComponent& Player) const
{
	for (int32 Index = 0; Index < Players.Num(); ++Index)
	{
		if (Players[Index] == &Player)
		{
			return Index;
		}
	}
	return -1;
}

bool UNetClockHandover::IsServerWorld() const
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	return World && (World->GetNetMode() == NM_DedicatedServer || World->GetNetMode() == NM_ListenServer);
}

bool UNetClockHandover::IsTooLate() const
{
	if (!IsServerWorld())
	{
		return false;
	}
	const UNetClockStart* Start = GetGameInstance()->GetWorld()->GetSubsystem<UNetClockStart>();
	return GetSession()->HasAnswered() || (Start && Start->IsPrepared());
}

UNetClockSession* UNetClockHandover::GetSession() const
{
	return GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
}

void UNetClockHandover::Deinitialize()
{
	Adoption.Reset();
	Plan = FPlan();
	Super::Deinitialize();
}
