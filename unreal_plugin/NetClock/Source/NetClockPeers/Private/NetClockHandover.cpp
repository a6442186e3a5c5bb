// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Peers/NetClockHandover.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The largest number of players: the library's limit. */
	constexpr int32 MostPlayers = 64;

	/** The largest number of players that may be wrong: the library's limit. */
	constexpr int32 MaxLiars = 31;

	/** The range of the wait for players, in seconds. During the wait, no machine has a time. */
	constexpr double LeastPatience = 0.1;
	constexpr double MostPatience = 60.0;

	/** The largest dispersion, in ms: the library's limit. */
	constexpr double MaxDispersionMs = 4294967295.0e-4;

	/** A growing dispersion is announced to players in steps of this size, in ms. If clocks drift by 100 ppm,
	 * that is every 10 s. */
	constexpr double DispersionStepMs = 1.0;

	/** Questions and answers: their length, the position of the byte for the kind, and the two kinds. */
	constexpr int32 DatagramSize = NETCLOCK_DATAGRAM_SIZE;
	constexpr int32 KindAt = 3;
	constexpr uint8 QuestionKind = 11;
	constexpr uint8 AnswerKind = 12;

	bool IsOf(uint8 Kind, const TArray<uint8>& Bytes)
	{
		return Bytes.Num() == DatagramSize && Bytes[KindAt] == Kind;
	}

	TArray<uint8> BytesOf(const netclock::datagram& Datagram)
	{
		return TArray<uint8>(reinterpret_cast<const uint8*>(Datagram.data()), DatagramSize);
	}

	/** Returns null if there is no library, or if a number is out of range. */
	TSharedPtr<netclock::adoption> MakeAdoption(int64 Timescale, int32 Liars)
	{
		if (Liars < 0 || !NetClock::IsLibraryUsable())
		{
			return nullptr;
		}
		netclock::adoption_config Config;
		Config.liars = Liars == 0 ? netclock::no_liars : static_cast<uint32>(Liars);
		Config.timescale = static_cast<std::uint64_t>(Timescale);
		Config.max_drift_ppm = static_cast<double>(UNetClockSettings::Get().MaxDriftPpm);
		const FGuid Drawn = FGuid::NewGuid();
		auto Made = netclock::adoption::create({NetClock::HighOf(Drawn), NetClock::LowOf(Drawn)}, Config);
		return Made ? TSharedPtr<netclock::adoption>(MakeShared<netclock::adoption>(MoveTemp(*Made)))
					: nullptr;
	}

	/** Adds a clock as it is now. Returns false if it has no error bound, or if a number is out of range. */
	bool AddReading(netclock::adoption& To, int64 OutsideTicks, double ErrorBoundMs, int64 Now)
	{
		const auto Bound = NetClock::SpanOf(ErrorBoundMs, NetClock::UnknownMs);
		return Bound &&
			To.add_own_reading(NetClock::ServerTime(OutsideTicks), *Bound, NetClock::LocalTime(Now)) ==
			netclock::status::ok;
	}

	/** Returns Continued, or the reason why the time does not continue. */
	ENetClockContinuation ResultOf(netclock::status Status)
	{
		switch (Status)
		{
		case netclock::status::ok: return ENetClockContinuation::Continued;
		case netclock::status::too_few: return ENetClockContinuation::TooFew;
		case netclock::status::no_agreement: return ENetClockContinuation::NoAgreement;
		default: return ENetClockContinuation::OutOfRange;
		}
	}
}

const bool UNetClockHandover::bTakes = UNetClockComponent::AddTaker(&UNetClockHandover::Take);

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
	// A server without a synced clock can still request a timescale by its number.
	FNetClockAuthority Known;
	const bool bKnows = GetSession()->KeepTime() && GetFollowed(Known);
	if (!bKnows)
	{
		GetSession()->EndKeeping();
	}
	if (!bKnows && Wanted.Timescale == 0)
	{
		return Refuse(ENetClockContinuation::NotSynced);
	}
	if (!bListens)
	{
		// The delegates reference this object weakly.
		bListens = true;
		GetSession()->OnServing.AddUObject(this, &UNetClockHandover::BeginServing);
		GetSession()->OnDecided.AddUObject(this, &UNetClockHandover::Follow);
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
	// An earlier decision is kept, and so is a pending one.
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
		const bool bKnows = Session.KeepsTime() && GetFollowed(Known) &&
			(Request.Timescale == 0 || Request.Timescale == Known.Timescale);
		Adoption = MakeAdoption(bKnows ? Known.Timescale : Request.Timescale, Request.Liars);
		if (Adoption.IsValid() && bKnows)
		{
			const FNetClockStatus Own = Session.ReadClient(Now);
			static_cast<void>(Own.bIsSynced &&
				AddReading(*Adoption, Own.ServerTicks, Own.ErrorBoundMs + Known.DispersionMs, Now));
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
	const auto Adopted = Adoption->settle(NetClock::LocalTime(Now));
	const ENetClockContinuation Result = ResultOf(Adopted.code());
	const bool bKnows = Session->KeepsTime();
	const bool bAll =
		Result == ENetClockContinuation::Continued &&
		static_cast<int32>(Adopted->answers) - (bKnows ? 1 : 0) >= Request.Players;
	if (!bAll && Now < Deadline)
	{
		return;
	}
	Adoption.Reset();
	Session->SetAsking(false);
	Players.Reset();
	if (Result == ENetClockContinuation::Continued)
	{
		// The time that is shown here must not go backwards. If the players are behind it, it is kept, and
		// the dispersion covers the difference.
		const int64 Agreed = Adopted->offset.count();
		const int64 Shown = bKnows ? Session->ReadClient(Now).ServerTicks - Now : Agreed;
		const int64 Offset = FMath::Max(Agreed, Shown);
		Serve(static_cast<int64>(Adopted->timescale), Offset,
			NetClock::MsOf(Adopted->dispersion) + NetClock::TicksToMs(Offset - Agreed));
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

void UNetClockHandover::Follow(bool bFollows)
{
	Decide(bFollows ? ENetClockContinuation::Followed : ENetClockContinuation::OtherServer);
}

void UNetClockHandover::Decide(ENetClockContinuation Result)
{
	// A client does not serve a time.
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
	const bool bAgain =
		GetServed().Timescale == Timescale && Continuation == ENetClockContinuation::Continued;
	if (!bAgain && (IsTooLate() || IsAsking()))
	{
		return Refuse(ENetClockContinuation::TooLate);
	}
	const TSharedPtr<netclock::adoption> Outside = MakeAdoption(Timescale, 0);
	const bool bTold = Outside.IsValid() && AddReading(*Outside, OutsideTicks, ErrorBoundMs, Now);
	const auto Adopted = bTold
		? Outside->settle(NetClock::LocalTime(Now))
		: netclock::result<netclock::adoption_result>{netclock::status::out_of_range, {}};
	if (!Adopted)
	{
		return bAgain ? ENetClockContinuation::OutOfRange : Refuse(ENetClockContinuation::OutOfRange);
	}
	if (!bAgain)
	{
		Serve(Timescale, Adopted->offset.count(), NetClock::MsOf(Adopted->dispersion));
		Decide(ENetClockContinuation::Continued);
		return Continuation;
	}
	const double ApartMs =
		NetClock::TicksToMs(FMath::Abs(Session->ServerTicks(Now) - Now - Adopted->offset.count())) +
		NetClock::MsOf(Adopted->dispersion);
	if (ApartMs > MaxDispersionMs)
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
	if (!Session || IsAsking())
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

bool UNetClockHandover::LearnTimeAuthority(const FNetClockAuthority& Authority)
{
	UNetClockSession* Session = GetSession();
	if (!Session || !Session->GetGuest() || Authority.ServerEpoch == 0)
	{
		return false;
	}
	netclock::guest_client Clock = Session->GetGuest()->clock();
	const netclock::authority Given{static_cast<std::uint64_t>(Authority.ServerEpoch),
		static_cast<std::uint64_t>(Authority.Timescale),
		netclock::ticks{NetClock::MsToTicks(Authority.DispersionMs)}};
	return netclock::set_authority(Clock, Given, NetClock::LocalTime(NetClock::LocalTicks())) ==
		netclock::status::ok;
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
		// The server serves its own timescale.
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

// Every player who sends a request receives a question instead of a reply.
bool UNetClockHandover::Take(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived)
{
	UNetClockHandover* Handover = Of(&Player);
	if (!Handover)
	{
		return false;
	}
	if (Player.GetNetMode() != NM_Client)
	{
		if (Handover->IsAsking())
		{
			Handover->TakeFromPlayer(Player, Bytes, Arrived);
		}
		return Handover->IsAsking() || IsOf(AnswerKind, Bytes);
	}
	if (!IsOf(QuestionKind, Bytes))
	{
		return false;
	}
	// A later question replaces this one.
	Handover->Question = Bytes;
	Handover->Asked = &Player;
	return true;
}

void UNetClockHandover::TakeFromPlayer(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived)
{
	int32 Index = 0;
	while (Index < Players.Num() && !(Players[Index].Player == &Player))
	{
		++Index;
	}
	for (int32 Place = 0; Index == Players.Num() && Place < Players.Num(); ++Place)
	{
		Index = Players[Place].Player.IsValid() ? Index : Place;
	}
	if (Index == MostPlayers)
	{
		return;
	}
	if (Index == Players.Num())
	{
		Players.Add(FAsked());
	}
	Players[Index].Player = &Player;
	if (IsOf(AnswerKind, Bytes))
	{
		static_cast<void>(Adoption->handle_reply(static_cast<std::uint64_t>(Index), Bytes.GetData(),
			static_cast<size_t>(Bytes.Num()), NetClock::LocalTime(Arrived)));
	}
	else
	{
		Players[Index].bAnswered = true;
	}
}

void UNetClockHandover::OnFrameEnding(UWorld* World)
{
	if (World->GetGameInstance() != GetGameInstance())
	{
		return;
	}
	StateAuthority();
	const netclock::local_time Now = NetClock::LocalTime(NetClock::LocalTicks());
	for (int32 Index = 0; IsAsking() && Index < Players.Num(); ++Index)
	{
		UNetClockComponent* Player = Players[Index].Player.Get();
		const auto Due = Player && Players[Index].bAnswered
			? Adoption->request(static_cast<std::uint64_t>(Index), Now)
			: netclock::result<netclock::datagram>{netclock::status::nothing_due, {}};
		if (Due)
		{
			static_cast<void>(Player->Send(BytesOf(*Due), false));
		}
		Players[Index].bAnswered = false;
	}
	UNetClockComponent* Answers = Asked.Get();
	const UNetClockSession* Session = GetSession();
	if (Answers && Session && Session->GetGuest())
	{
		const auto Answer = netclock::respond_to_adoption(Session->GetGuest()->clock(), Question.GetData(),
			static_cast<size_t>(Question.Num()), Now);
		if (Answer)
		{
			static_cast<void>(Answers->Send(BytesOf(*Answer), false));
		}
	}
	Asked = nullptr;
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
	Adoption.Reset();
	Request = FRequest();
	Super::Deinitialize();
}
