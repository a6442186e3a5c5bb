// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockBlueprintLibrary.h"

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "NetClockBackend.h"
#include "NetClockSession.h"

namespace
{
	UNetClockSession* SessionOf(const UObject* WorldContextObject, bool bClient)
	{
		const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
		if (!World || !World->GetGameInstance() || (World->GetNetMode() == NM_Client) != bClient)
		{
			return nullptr;
		}
		return World->GetGameInstance()->GetSubsystem<UNetClockSession>();
	}
}

bool UNetClockBlueprintLibrary::MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request)
{
	Request = FNetClockRequest();
	const UNetClockSession* Session = SessionOf(WorldContextObject, true);
	return Session && Session->GetClient().IsValid() && Session->GetClient()->MakeRequest(NetClock::LocalTicks(), Request);
}

bool UNetClockBlueprintLibrary::HandleClockReply(const UObject* WorldContextObject, const FNetClockReply& Reply)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockSession* Session = SessionOf(WorldContextObject, true);
	return Session && Session->HandleReply(Reply, Arrived);
}

int64 UNetClockBlueprintLibrary::GetCurrentServerTimeTicks(const UObject* WorldContextObject)
{
	if (const UNetClockSession* Session = SessionOf(WorldContextObject, true))
	{
		return Session->GetClient().IsValid() && !Session->IsUnproved() ? Session->GetClient()->CurrentServerTicks(NetClock::LocalTicks()) : 0;
	}
	return SessionOf(WorldContextObject, false) ? NetClock::LocalTicks() : 0;
}

bool UNetClockBlueprintLibrary::AnswerClockRequest(
	const UObject* WorldContextObject, const FNetClockRequest& Request, int64 ReceivedTicks, FNetClockReply& Reply)
{
	Reply = FNetClockReply();
	UNetClockSession* Session = SessionOf(WorldContextObject, false);
	return Session && Session->GetServer().IsValid() && Session->GetServer()->Answer(Request, ReceivedTicks, NetClock::LocalTicks(), Reply);
}

int64 UNetClockBlueprintLibrary::GetLocalClockTicks()
{
	return NetClock::LocalTicks();
}
