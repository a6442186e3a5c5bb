// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSession.h"

#include "Engine/GameInstance.h"
#include "Engine/NetConnection.h"
#include "Engine/World.h"
#include "Misc/Guid.h"
#include "NetClockBackend.h"
#include "NetClockLatencyBackend.h"
#include "NetClockOrderBackend.h"
#include "NetClockRecorder.h"

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	const FGuid Drawn = FGuid::NewGuid();
	ServerEpoch = static_cast<int64>((static_cast<uint64>(Drawn.A) << 32) | Drawn.B | 1u);
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
		bNewConnection = Client.IsValid();
		FollowedConnection = Connection;
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
	if (bUnproved && Reply.Epoch != Client->Read(Arrived).ServerEpoch)
	{
		// Another server. This reply is of no use: the new clock knows nothing of the request.
		bUnproved = false;
		BeginClock();
		return false;
	}
	const bool bAccepted = Client->HandleReply(Reply, Arrived);
	bProved = bProved || (bUnproved && bAccepted);
	bUnproved = bUnproved && !bAccepted;
	if (bAccepted && Latency.IsValid())
	{
		Latency->Follow(*Client);
	}
	return bAccepted;
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
