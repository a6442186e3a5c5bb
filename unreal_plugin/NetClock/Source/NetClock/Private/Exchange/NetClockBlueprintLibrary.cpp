// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockNodes.h"

#include "Clock/NetClockBackend.h"
#include "NetClock/Clock/NetClockSession.h"
#include "Engine/World.h"

namespace
{
	/** The session, if this is a client, or if it is none. */
	UNetClockSession* SessionOf(const UObject* WorldContextObject, bool bClient)
	{
		const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
		return World && (World->GetNetMode() == NM_Client) == bClient ? UNetClockSession::Of(World) : nullptr;
	}
}

bool UNetClockBlueprintLibrary::MakeClockRequest(const UObject* WorldContextObject, FNetClockRequest& Request)
{
	Request = FNetClockRequest();
	const UNetClockSession* Session = SessionOf(WorldContextObject, true);
	return Session && Session->GetClient().IsValid() &&
		Session->GetClient()->MakeRequest(NetClock::LocalTicks(), Request);
}

bool UNetClockBlueprintLibrary::HandleClockReply(
	const UObject* WorldContextObject, const FNetClockReply& Reply)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockSession* Session = SessionOf(WorldContextObject, true);
	return Session && Session->HandleReply(Reply, Arrived);
}

int64 UNetClockBlueprintLibrary::GetServerTimeWithinFrameTicks(const UObject* WorldContextObject)
{
	if (const UNetClockSession* Session = SessionOf(WorldContextObject, true))
	{
		return Session->GetClient().IsValid() && !Session->IsUnconfirmed()
			? Session->GetClient()->CurrentServerTicks(NetClock::LocalTicks())
			: 0;
	}
	UNetClockSession* Session = SessionOf(WorldContextObject, false);
	if (Session && Session->KeepsTime())
	{
		return Session->GetClient()->CurrentServerTicks(NetClock::LocalTicks());
	}
	return Session && !Session->IsAsking() ? Session->ServerTicks(NetClock::LocalTicks()) : 0;
}

bool UNetClockBlueprintLibrary::AnswerClockRequest(const UObject* WorldContextObject,
	const FNetClockRequest& Request, int64 ReceivedTicks, FNetClockReply& Reply)
{
	Reply = FNetClockReply();
	UNetClockSession* Session = SessionOf(WorldContextObject, false);
	if (!Session || Session->IsAsking() || !Session->GetServer().IsValid())
	{
		return false;
	}
	Session->SetAnswered();
	return Session->GetServer()->Answer(
		Request, Session->ServerTicks(ReceivedTicks), Session->ServerTicks(NetClock::LocalTicks()), Reply);
}

int64 UNetClockBlueprintLibrary::GetLocalClockTicks()
{
	return NetClock::LocalTicks();
}
