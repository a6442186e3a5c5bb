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

TSharedPtr<FNetClockClient> UNetClockSession::ClientFor(UNetConnection* Connection, bool& bStartedOver)
{
	bStartedOver = false;
	if (Connection && !(FollowedConnection == Connection))
	{
		bStartedOver = Client.IsValid();
		FollowedConnection = Connection;
		// Who comes back may find the same world again.
		LeftEpoch = 0;
		Client = FNetClockClient::Create(FGuid::NewGuid());
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

const TSharedPtr<FNetClockServer>& UNetClockSession::GetServer()
{
	if (!Server.IsValid())
	{
		Server = FNetClockServer::Create(ServerEpoch);
	}
	return Server;
}
