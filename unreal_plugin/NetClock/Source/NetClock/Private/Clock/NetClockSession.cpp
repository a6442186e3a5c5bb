// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockSession.h"

#include "Clock/NetClockBackend.h"
#include "Clock/NetClockLatencyBackend.h"
#include "Clock/NetClockMemory.h"
#include "Clock/NetClockRecorder.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "Order/NetClockOrderBackend.h"

namespace
{
	/** How long a kept clock waits for the authority of a new server, in ticks: long enough to resend it a
	 * few times. */
	constexpr int64 AuthorityTicks = 2 * NetClock::TicksPerSecond;

	/** From a connection's begin to the first time that its clock is kept, again while its rate is not known,
	 * and then to the next ones. */
	constexpr int64 FirstMemoryTicks = 60 * NetClock::TicksPerSecond;
	constexpr int64 NextMemoryTicks = 600 * NetClock::TicksPerSecond;

	/** A server on this machine has the same crystal. Its rate of zero says nothing about the machine. */
	bool IsThisMachine(const FString& Address)
	{
		return Address.StartsWith(TEXT("127.")) || Address == TEXT("::1") || Address == TEXT("localhost");
	}

	/** Never zero. */
	int64 DrawEpoch()
	{
		const FGuid Drawn = FGuid::NewGuid();
		return static_cast<int64>((static_cast<uint64>(Drawn.A) << 32) | Drawn.B | 1u);
	}
}

UNetClockSession* UNetClockSession::Of(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	return World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>()
											 : nullptr;
}

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	ServerEpoch = DrawEpoch();
}

void UNetClockSession::Deinitialize()
{
	static_cast<void>(Remember());
	Client.Reset();
	Lead.Reset();
	Latency.Reset();
	Server.Reset();
	// The last reference: this closes the file.
	Recorder.Reset();
	Super::Deinitialize();
}

TSharedPtr<FNetClockClient> UNetClockSession::ClientFor(UNetConnection* Connection, bool& bNewConnection)
{
	bNewConnection = false;
	if (Connection && !(FollowedConnection == Connection))
	{
		static_cast<void>(Remember());
		bNewConnection = Client.IsValid() && !bKeeps;
		FollowedConnection = Connection;
		FollowedAddress = Connection->LowLevelGetRemoteAddress(false);
		RememberTicks = NetClock::LocalTicks() + FirstMemoryTicks;
		bAnswered = false;
		bUndecided = bKeeps;
		OtherSinceTicks = 0;
		// After a reconnect the server may still be in the same world.
		LeftEpoch = 0;
		bConfirmed = false;
		bUnconfirmed = Client.IsValid() && Client->Read(NetClock::LocalTicks()).bIsSynced;
		if (!bUnconfirmed)
		{
			BeginClock();
		}
		else
		{
			// Its schedule may have long pauses, above all beside a link that has ended now.
			Client->BeginBurst();
		}
	}
	return Client;
}

void UNetClockSession::BeginClock()
{
	const bool bRecall = UNetClockSettings::Get().bRememberClock && !IsThisMachine(FollowedAddress);
	Client = FNetClockClient::Create(
		FGuid::NewGuid(), bRecall ? NetClock::Recall(FollowedAddress) : FNetClockKnown());
	Lead = FNetClockLead::Create();
	Latency = FNetClockLatency::Create();
	if (Client.IsValid() && Recorder.IsValid())
	{
		Recorder->BeginNextClock();
		Client->SetRecorder(Recorder);
	}
	LearnServerBoot(LearnedBoot);
	if (Client.IsValid() && Learned.ServerEpoch != 0)
	{
		// It may be the authority of the new server already.
		static_cast<void>(Client->SetAuthority(Learned, NetClock::LocalTicks()));
	}
}

bool UNetClockSession::KnewMachine() const
{
	return Client.IsValid() && Client->KnewMachine();
}

bool UNetClockSession::KnewServer() const
{
	return Client.IsValid() && Client->KnewServer();
}

void UNetClockSession::RememberNowAndThen(int64 Now)
{
	if (Now >= RememberTicks)
	{
		RememberTicks = Now + (Remember() ? NextMemoryTicks : FirstMemoryTicks);
	}
}

// Until it is settled which server the clock follows, what it knows was kept when its last connection ended.
bool UNetClockSession::Remember()
{
	FNetClockKnown Known;
	const bool bWanted = Client.IsValid() && IsSettled() && UNetClockSettings::Get().bRememberClock &&
		!IsThisMachine(FollowedAddress);
	if (!bWanted || !Client->Save(Known))
	{
		return false;
	}
	NetClock::Remember(FollowedAddress, Known);
	return true;
}

void UNetClockSession::ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs)
{
	// A new epoch: clients must not mix it with what they know of an earlier run.
	ServerEpoch = DrawEpoch();
	ServerOffset = OffsetTicks;
	Served.ServerEpoch = ServerEpoch;
	Served.Timescale = Timescale;
	UpdateDispersion(DispersionMs);
	Server.Reset();
	// A server follows nobody.
	static_cast<void>(Remember());
	Client.Reset();
	bKeeps = bUndecided = bUnconfirmed = bConfirmed = bAnswered = false;
}

void UNetClockSession::UpdateDispersion(double DispersionMs)
{
	Served.DispersionMs = DispersionMs;
	ServedTicks = NetClock::LocalTicks();
}

FNetClockAuthority UNetClockSession::GetServedAuthority() const
{
	FNetClockAuthority Now = Served;
	if (Served.ServerEpoch == 0)
	{
		// The server serves its own time.
		Now.ServerEpoch = Now.Timescale = ServerEpoch;
		return Now;
	}
	const double PassedMs = NetClock::TicksToMs(NetClock::LocalTicks() - ServedTicks);
	Now.DispersionMs +=
		FMath::Max(0.0, PassedMs) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 1.0e-6;
	return Now;
}

void UNetClockSession::SetStartPreparedIn(const UWorld* World)
{
	PreparedWorld = World;
}

bool UNetClockSession::IsStartPreparedIn(const UWorld* World) const
{
	return World && PreparedWorld == World;
}

bool UNetClockSession::KeepTime()
{
	const int64 Now = NetClock::LocalTicks();
	FNetClockAuthority Known;
	bKeeps = Client.IsValid() && !IsUnconfirmed() && Client->Read(Now).bIsSynced &&
		Client->GetAuthority(Now, Known);
	return bKeeps;
}

bool UNetClockSession::GetFollowedAuthority(int64 Now, FNetClockAuthority& Authority) const
{
	return Client.IsValid() && Client->GetAuthority(Now, Authority);
}

FNetClockStatus UNetClockSession::ReadClient(int64 Now) const
{
	return Client.IsValid() ? Client->Read(Now) : FNetClockStatus();
}

bool UNetClockSession::AnswerAdoption(
	const FNetClockDatagram& Question, int64 Now, FNetClockDatagram& Answer) const
{
	return Client.IsValid() && Client->AnswerAdoption(Question, Now, Answer);
}

void UNetClockSession::LearnServerBoot(int64 Boot)
{
	LearnedBoot = Boot;
	if (Client.IsValid())
	{
		Client->SetServerBoot(Boot);
	}
}

bool UNetClockSession::LearnAuthority(const FNetClockAuthority& Authority)
{
	Learned = Authority;
	return Client.IsValid() && Authority.ServerEpoch != 0 &&
		Client->SetAuthority(Authority, NetClock::LocalTicks());
}

bool UNetClockSession::HandleReply(const FNetClockReply& Reply, int64 Arrived)
{
	if (!Client.IsValid())
	{
		return false;
	}
	const bool bOther = bUnconfirmed && Reply.Epoch != Client->Read(Arrived).ServerEpoch;
	if (bOther && WaitsForAuthority(Reply, Arrived))
	{
		return false;
	}
	if (bOther && !ContinuesWith(Reply, Arrived))
	{
		// Another server. The new clock cannot use this reply, because it does not know the request.
		bUnconfirmed = false;
		BeginClock();
		bNewClockBegan = true;
		Decide(ENetClockContinuation::OtherServer);
		return false;
	}
	KeptTimeline = bUnconfirmed ? Client->Read(Arrived).Epoch : KeptTimeline;
	const bool bAccepted = Client->HandleReply(Reply, Arrived);
	if (bUnconfirmed && bAccepted)
	{
		// A kept clock was shown all the time, so there is nothing to report.
		bConfirmed = bConfirmed || !bKeeps;
		bUnconfirmed = false;
	}
	const FNetClockStatus Now = bUndecided ? Client->Read(Arrived) : FNetClockStatus();
	if (bUndecided && bAccepted && Now.ServerEpoch == Reply.Epoch)
	{
		// Otherwise the authority contradicts what the clock knows, and the next replies decide.
		Decide(
			Now.Epoch == KeptTimeline ? ENetClockContinuation::Followed : ENetClockContinuation::OtherServer);
	}
	if (bAccepted && Latency.IsValid())
	{
		Latency->Follow(*Client);
	}
	return bAccepted;
}

// Replies can overtake the server's authority, which is replicated and never lost.
bool UNetClockSession::WaitsForAuthority(const FNetClockReply& Reply, int64 Arrived)
{
	OtherSinceTicks = OtherSinceTicks == 0 ? Arrived : OtherSinceTicks;
	return bKeeps && Learned.ServerEpoch != Reply.Epoch && Arrived - OtherSinceTicks < AuthorityTicks;
}

bool UNetClockSession::ContinuesWith(const FNetClockReply& Reply, int64 Arrived)
{
	if (Learned.ServerEpoch != Reply.Epoch || !Client->SetAuthority(Learned, Arrived))
	{
		return false;
	}
	// The clock continues, but on another path.
	Lead = FNetClockLead::Create();
	Latency = FNetClockLatency::Create();
	return true;
}

void UNetClockSession::Decide(ENetClockContinuation Result)
{
	Decision = bUndecided ? Result : Decision;
	bUndecided = bKeeps = false;
}

ENetClockContinuation UNetClockSession::TakeDecision(bool& bNewClock)
{
	const ENetClockContinuation Taken = Decision;
	bNewClock = bNewClockBegan;
	Decision = ENetClockContinuation::None;
	bNewClockBegan = false;
	return Taken;
}

bool UNetClockSession::TakeConfirmed()
{
	const bool bTaken = bConfirmed;
	bConfirmed = false;
	return bTaken;
}

const TSharedPtr<FNetClockServer>& UNetClockSession::GetServer()
{
	if (!Server.IsValid())
	{
		Server = FNetClockServer::Create(ServerEpoch);
	}
	return Server;
}

bool UNetClockSession::StartRecording(const FString& Name, FString& Message)
{
	const UWorld* World = GetGameInstance() ? GetGameInstance()->GetWorld() : nullptr;
	const ENetMode Mode = World ? World->GetNetMode() : NM_Standalone;
	if (!NetClock::IsLibraryUsable())
	{
		Message =
			TEXT("There is nothing to record without the NetClock library. The log says why it is missing.");
		return false;
	}
	if (Mode == NM_DedicatedServer || Mode == NM_ListenServer)
	{
		Message = TEXT("This is the server, whose clock follows nobody. Record on a client.");
		return false;
	}
	if (Recorder.IsValid() && Recorder->IsOpen())
	{
		Message = FString::Printf(TEXT("Recording already, to %s"), *Recorder->GetFile());
		return false;
	}
	Recorder = FNetClockRecorder::Open(Name, Message);
	if (Client.IsValid())
	{
		Client->SetRecorder(Recorder);
	}
	return Recorder.IsValid();
}

bool UNetClockSession::StopRecording(FString& Message)
{
	if (!Recorder.IsValid())
	{
		Message = TEXT("Nothing is being recorded.");
		return false;
	}
	if (Client.IsValid())
	{
		Client->SetRecorder(nullptr);
	}
	const bool bWhole = !Recorder->IsOpen() || Recorder->Close();
	Message = FString::Printf(TEXT("%lld exchanges in %s%s"), Recorder->GetExchanges(), *Recorder->GetFile(),
		bWhole ? TEXT("") : TEXT(", which is not complete. Is the disk full?"));
	Recorder.Reset();
	return bWhole;
}

bool UNetClockSession::GetRecording(FString& File, int64& Exchanges) const
{
	if (!Recorder.IsValid())
	{
		return false;
	}
	File = Recorder->GetFile();
	Exchanges = Recorder->GetExchanges();
	return true;
}
