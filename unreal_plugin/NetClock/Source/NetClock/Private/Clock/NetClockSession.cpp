// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Clock/NetClockSession.h"

#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "Clock/NetClockBackend.h"
#include "Clock/NetClockLatencyBackend.h"
#include "Order/NetClockOrderBackend.h"
#include "Clock/NetClockRecorder.h"
#include "Clock/NetClockSettings.h"

namespace
{
	/** So long a kept clock waits for a server to say whose time it shows, in ticks: some repetitions of what was lost. */
	constexpr int64 StatementTicks = 2 * NetClock::TicksPerSecond;

	/** Never zero. */
	int64 DrawEpoch()
	{
		const FGuid Drawn = FGuid::NewGuid();
		return static_cast<int64>((static_cast<uint64>(Drawn.A) << 32) | Drawn.B | 1u);
	}
}

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	ServerEpoch = DrawEpoch();
}

void UNetClockSession::Deinitialize()
{
	Client.Reset();
	Lead.Reset();
	Latency.Reset();
	Server.Reset();
	// The last one to have it: the file is closed.
	Recorder.Reset();
	Super::Deinitialize();
}

TSharedPtr<FNetClockClient> UNetClockSession::ClientFor(UNetConnection* Connection, bool& bNewConnection)
{
	bNewConnection = false;
	if (Connection && !(FollowedConnection == Connection))
	{
		bNewConnection = Client.IsValid() && !bKeeps;
		FollowedConnection = Connection;
		bAnswered = false;
		bUndecided = bKeeps;
		OtherSinceTicks = 0;
		// Who comes back may find the same world again.
		LeftEpoch = 0;
		bProved = false;
		bUnproved = Client.IsValid() && Client->Read(NetClock::LocalTicks()).bIsSynced;
		if (!bUnproved)
		{
			BeginClock();
		}
	}
	return Client;
}

void UNetClockSession::BeginClock()
{
	Client = FNetClockClient::Create(FGuid::NewGuid());
	Lead = FNetClockLead::Create();
	Latency = FNetClockLatency::Create();
	if (Client.IsValid() && Recorder.IsValid())
	{
		Recorder->BeginNextClock();
		Client->SetRecorder(Recorder);
	}
	if (Client.IsValid() && Learned.ServerEpoch != 0)
	{
		// In case it is of the server that is followed now.
		static_cast<void>(Client->GoOnWith(Learned, NetClock::LocalTicks()));
	}
}

void UNetClockSession::Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs)
{
	// What clients know of an earlier run is of another clock.
	ServerEpoch = DrawEpoch();
	ServerOffset = OffsetTicks;
	Served.ServerEpoch = ServerEpoch;
	Served.Timescale = Timescale;
	Restate(DispersionMs);
	Server.Reset();
	// It leads from now on.
	Client.Reset();
	bKeeps = bUndecided = bUnproved = bProved = bAnswered = false;
}

void UNetClockSession::Restate(double DispersionMs)
{
	Served.DispersionMs = DispersionMs;
	ServedTicks = NetClock::LocalTicks();
}

FNetClockAuthority UNetClockSession::GetServedAuthority() const
{
	FNetClockAuthority Now = Served;
	if (Served.ServerEpoch == 0)
	{
		// Nobody's but its own.
		Now.ServerEpoch = Now.Timescale = ServerEpoch;
		return Now;
	}
	const double PassedMs = static_cast<double>(NetClock::LocalTicks() - ServedTicks) * 1.0e-4;
	Now.DispersionMs += FMath::Max(0.0, PassedMs) * static_cast<double>(UNetClockSettings::Get().MaxDriftPpm) * 1.0e-6;
	return Now;
}

bool UNetClockSession::KeepTime()
{
	const int64 Now = NetClock::LocalTicks();
	FNetClockAuthority Known;
	bKeeps = Client.IsValid() && !IsUnproved() && Client->Read(Now).bIsSynced && Client->GetAuthority(Now, Known);
	return bKeeps;
}

bool UNetClockSession::LearnAuthority(const FNetClockAuthority& Authority)
{
	Learned = Authority;
	return Client.IsValid() && Authority.ServerEpoch != 0 && Client->GoOnWith(Authority, NetClock::LocalTicks());
}

void UNetClockSession::LeaveWorld(int64 Epoch, int32 World)
{
	LeftEpoch = Epoch;
	LeftWorld = World;
}

bool UNetClockSession::HasLeftWorld(int64 Epoch, int32 World) const
{
	return LeftEpoch != 0 && Epoch == LeftEpoch && World <= LeftWorld;
}

bool UNetClockSession::HandleReply(const FNetClockReply& Reply, int64 Arrived)
{
	if (!Client.IsValid())
	{
		return false;
	}
	const bool bOther = bUnproved && Reply.Epoch != Client->Read(Arrived).ServerEpoch;
	if (bOther && AwaitsStatement(Reply, Arrived))
	{
		return false;
	}
	if (bOther && !GoesOn(Reply, Arrived))
	{
		// Another server. This reply is of no use: the new clock knows nothing of the request.
		bUnproved = false;
		BeginClock();
		bNewClockBegan = true;
		Decide(ENetClockContinuation::OtherServer);
		return false;
	}
	KeptTimeline = bUnproved ? Client->Read(Arrived).Epoch : KeptTimeline;
	const bool bAccepted = Client->HandleReply(Reply, Arrived);
	if (bUnproved && bAccepted)
	{
		// Of a clock that was shown all the time there is nothing to be told.
		bProved = bProved || !bKeeps;
		bUnproved = false;
	}
	const FNetClockStatus Now = bUndecided ? Client->Read(Arrived) : FNetClockStatus();
	if (bUndecided && bAccepted && Now.ServerEpoch == Reply.Epoch)
	{
		// Otherwise what was said of it contradicts what the clock knows, and the next replies tell.
		Decide(Now.Epoch == KeptTimeline ? ENetClockContinuation::Followed : ENetClockContinuation::OtherServer);
	}
	if (bAccepted && Latency.IsValid())
	{
		Latency->Follow(*Client);
	}
	return bAccepted;
}

// Replies may overtake what the server says of its clock, which is never lost.
bool UNetClockSession::AwaitsStatement(const FNetClockReply& Reply, int64 Arrived)
{
	OtherSinceTicks = OtherSinceTicks == 0 ? Arrived : OtherSinceTicks;
	return bKeeps && Learned.ServerEpoch != Reply.Epoch && Arrived - OtherSinceTicks < StatementTicks;
}

bool UNetClockSession::GoesOn(const FNetClockReply& Reply, int64 Arrived)
{
	if (Learned.ServerEpoch != Reply.Epoch || !Client->GoOnWith(Learned, Arrived))
	{
		return false;
	}
	// The clock goes on; the way to the server is another one.
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

bool UNetClockSession::TakeProved()
{
	const bool bTaken = bProved;
	bProved = false;
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
		Message = TEXT("There is nothing to record without the NetClock library; the log says why there is none.");
		return false;
	}
	if (Mode == NM_DedicatedServer || Mode == NM_ListenServer)
	{
		Message = TEXT("This is the server: its clock is the time, and follows nobody. Record on a client.");
		return false;
	}
	if (Recorder.IsValid() && Recorder->IsOpen())
	{
		Message = FString::Printf(TEXT("Recording already, into %s"), *Recorder->GetFile());
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
	Message = FString::Printf(TEXT("%lld exchanges in %s%s"), Recorder->GetExchanges(), *Recorder->GetFile(), bWhole ? TEXT("") : TEXT(", which is not complete: is the disk full?"));
	Recorder.Reset();
	return bWhole;
}
