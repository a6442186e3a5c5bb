// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSession.h"

#include "Engine/NetConnection.h"
#include "Misc/Guid.h"
#include "NetClockBackend.h"

void UNetClockSession::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	const FGuid Drawn = FGuid::NewGuid();
	ServerEpoch = static_cast<int64>((static_cast<uint64>(Drawn.A) << 32) | Drawn.B | 1u);
}

void UNetClockSession::Deinitialize()
{
	Client.Reset();
	Server.Reset();
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
			Client = FNetClockClient::Create(FGuid::NewGuid());
		}
	}
	return Client;
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
		Client = FNetClockClient::Create(FGuid::NewGuid());
		return false;
	}
	const bool bAccepted = Client->HandleReply(Reply, Arrived);
	bProved = bProved || (bUnproved && bAccepted);
	bUnproved = bUnproved && !bAccepted;
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
