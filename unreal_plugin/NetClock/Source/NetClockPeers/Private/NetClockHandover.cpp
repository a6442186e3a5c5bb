// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockHandover.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClockHandoverBackend.h"
#include "Misc/Guid.h"

namespace
{
	/** Most players: the library's limit. */
	constexpr int32 MostPlayers = 64;

	/** Most players that may be wrong: the library's limit. */
	constexpr int32 MaxLiars = 31;

	/** Range of the wait for players, in seconds. Nobody has a time meanwhile. */
	constexpr double LeastPatience = 0.1;
	constexpr double MostPatience = 60.0;

	/** Largest dispersion, in ms: the library's limit. */
	constexpr double MaxDispersionMs = 4294967295.0e-4;
}

UNetClockHandover* UNetClockHandover::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockHandover>()
											 : nullptr;
}

ENetClockContinuation UNetClockHandover::ContinueTimeOfPreviousServer()
{
	FRequest Wanted;
	Wanted.bIsThere = true;
	return Begin(Wanted);
}

ENetClockContinuation UNetClockHandover::ContinueTimeWithPlayers(
	int64 Timescale, int32 NumPlayers, int32 Liars, double PatienceSeconds)
{
	const bool bInRange = NumPlayers >= 1 && NumPlayers <= MostPlayers && Liars >= 0 && Liars <= MaxLiars &&
		PatienceSeconds >= LeastPatience && PatienceSeconds <= MostPatience;
	FRequest Wanted;
	Wanted.bIsThere = true;
	Wanted.Timescale = Timescale;
	Wanted.Players = NumPlayers;
	Wanted.Liars = Liars;
	Wanted.PatienceSeconds = PatienceSeconds;
	return bInRange ? Begin(Wanted) : Refuse(ENetClockContinuation::OutOfRange);
}

ENetClockContinuation UNetClockHandover::Begin(const FRequest& Wanted)
{
	if (!NetClock::IsLibraryUsable())
	{
		return Refuse(ENetClockContinuation::NoLibrary);
	}
	if (IsServerWorld() && Continuation == ENetClockContinuation::Continued &&
		!GetSession()->ReadClient(NetClock::LocalTicks()).bIsSynced)
	{
		return Continuation;
	}
	if (IsTooLate() || IsAsking())
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	// Without a clock of its own, a server can still ask for a timescale by its number.
	if (!GetSession()->KeepTime() && Wanted.Timescale == 0)
	{
		return Refuse(ENetClockContinuation::NotSynced);
	}
	if (!bFollows)
	{
		// The delegates hold this object weakly.
		bFollows = true;
		GetSession()->OnServing.AddUObject(this, &UNetClockHandover::BeginServing);
		GetSession()->OnDecided.AddUObject(this, &UNetClockHandover::Decide);
	}
	Request = Wanted;
	Continuation = ENetClockContinuation::Kept;
	if (IsServerWorld())
	{
		BeginServing(*GetSession());
	}
	return Continuation;
}

ENetClockContinuation UNetClockHandover::Refuse(ENetClockContinuation Why)
{
	// An earlier decision stays, and so does one that is pending.
	if (!IsAsking() && Why != ENetClockContinuation::TooLate)
	{
		Continuation = Why;
	}
	return Why;
}

void UNetClockHandover::BeginServing(UNetClockSession& Session)
{
	const int64 Now = NetClock::LocalTicks();
	if (Request.bIsThere)
	{
		Request.bIsThere = false;
		FNetClockAuthority Known;
		const bool bKnows = Session.KeepsTime() && Session.GetFollowedAuthority(Now, Known) &&
			(Request.Timescale == 0 || Request.Timescale == Known.Timescale);
		Adoption = FNetClockAdoption::Create(
			bKnows ? Known.Timescale : Request.Timescale, Request.Liars, FGuid::NewGuid());
		if (Adoption.IsValid() && bKnows)
		{
			const FNetClockStatus Own = Session.ReadClient(Now);
			static_cast<void>(Own.bIsSynced &&
				Adoption->AddOwnReading(Own.ServerTicks, Own.ErrorBoundMs + Known.DispersionMs, Now));
		}
		if (!bKnows)
		{
			Session.EndKeeping();
		}
		Players.Reset();
		Deadline = Now + NetClock::SecondsToTicks(Request.PatienceSeconds);
		Continuation = ENetClockContinuation::Asking;
	}
	Session.SetAsking(IsAsking());
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
	const bool bAll =
		Result == ENetClockContinuation::Continued && Adopted.Answers - (bKnows ? 1 : 0) >= Request.Players;
	if (!bAll && Now < Deadline)
	{
		return;
	}
	Adoption.Reset();
	Session->SetAsking(false);
	Players.Reset();
	if (Result == ENetClockContinuation::Continued)
	{
		// The time shown here must not go backwards. If the others are behind it, it stays, and the
		// dispersion covers the difference.
		const int64 Shown =
			bKnows ? Session->ReadClient(Now).ServerTicks - Now : Adopted.OffsetTicks;
		const int64 Offset = FMath::Max(Adopted.OffsetTicks, Shown);
		Session->ServeTimescale(Adopted.Timescale, Offset,
			Adopted.DispersionMs + NetClock::TicksToMs(Offset - Adopted.OffsetTicks));
	}
	else
	{
		UE_LOG(LogNetClock, Warning,
			TEXT("The time of the previous server could not be continued: too few players answered, or the "
				 "answers contradict each other. This server has its own time."));
	}
	Session->EndKeeping();
	Decide(Result);
}

void UNetClockHandover::Decide(ENetClockContinuation Result)
{
	// A client has nothing to serve later.
	Request.bIsThere = false;
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
	const FNetClockAuthority Served = Session->GetServedAuthority();
	const bool bAgain = Served.Timescale == Timescale && Continuation == ENetClockContinuation::Continued;
	if (!bAgain && (IsTooLate() || IsAsking()))
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	const TSharedPtr<FNetClockAdoption> Outside = FNetClockAdoption::Create(Timescale, 0, FGuid::NewGuid());
	FNetClockAdopted Adopted;
	if (!Outside.IsValid() || !Outside->AddOwnReading(OutsideTicks, ErrorBoundMs, Now) ||
		Outside->Settle(Now, Adopted) != ENetClockContinuation::Continued)
	{
		return bAgain ? ENetClockContinuation::OutOfRange : Refuse(ENetClockContinuation::OutOfRange);
	}
	if (!bAgain)
	{
		Session->ServeTimescale(Timescale, Adopted.OffsetTicks, Adopted.DispersionMs);
		Decide(ENetClockContinuation::Continued);
		return Continuation;
	}
	const double ApartMs =
		NetClock::TicksToMs(FMath::Abs(Session->ServerTicks(Now) - Now - Adopted.OffsetTicks));
	if (ApartMs + Adopted.DispersionMs > MaxDispersionMs)
	{
		return ENetClockContinuation::OutOfRange;
	}
	Session->UpdateDispersion(ApartMs + Adopted.DispersionMs);
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
	if (!Session->IsUnconfirmed())
	{
		static_cast<void>(Session->GetFollowedAuthority(NetClock::LocalTicks(), Known));
	}
	return Known;
}

bool UNetClockHandover::LearnTimeAuthority(const FNetClockAuthority& Authority)
{
	UNetClockSession* Session = GetSession();
	return Session && Session->LearnAuthority(Authority);
}

bool UNetClockHandover::Ask(const UObject& Player, FNetClockDatagram& Question)
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
	Index = Index < 0 && Players.Num() < MostPlayers ? Players.Add(TWeakObjectPtr<const UObject>()) : Index;
	if (Index < 0)
	{
		return false;
	}
	Players[Index] = &Player;
	return Adoption->MakeRequest(Index, NetClock::LocalTicks(), Question);
}

void UNetClockHandover::TakeAnswer(const UObject& Player, const FNetClockDatagram& Answer, int64 Arrived)
{
	const int32 Index = Find(Player);
	if (IsAsking() && Index >= 0)
	{
		Adoption->HandleReply(Index, Answer, Arrived);
	}
}

int32 UNetClockHandover::Find(const UObject& Player) const
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
	return IsServerWorld() &&
		(GetSession()->HasAnswered() || GetSession()->IsStartPreparedIn(GetGameInstance()->GetWorld()));
}

UNetClockSession* UNetClockHandover::GetSession() const
{
	return GetGameInstance() ? GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
}

void UNetClockHandover::Deinitialize()
{
	Adoption.Reset();
	Request = FRequest();
	Super::Deinitialize();
}
