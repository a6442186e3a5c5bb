// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Game/NetClockOwnTransport.h"

#include "Engine/World.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClockCLibrary.h"

namespace
{
	/** Returns the session, or null if bClient does not match the world's role. */
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
	if (!Session || !Session->GetGuest())
	{
		return false;
	}
	const auto Fresh =
		Session->GetGuest()->clock().make_request(NetClock::LocalTime(NetClock::LocalTicks()));
	Request.Id = static_cast<int64>(Fresh->id);
	Request.ClientTicks = NetClock::TicksOf(Fresh->client_time);
	return static_cast<bool>(Fresh);
}

bool UNetClockBlueprintLibrary::HandleClockReply(
	const UObject* WorldContextObject, const FNetClockReply& Reply)
{
	const int64 Arrived = NetClock::LocalTicks();
	UNetClockSession* Session = SessionOf(WorldContextObject, true);
	if (!Session || !Session->GetGuest())
	{
		return false;
	}
	netclock::reply Given;
	Given.id = static_cast<std::uint64_t>(Reply.Id);
	Given.epoch = static_cast<std::uint64_t>(Reply.Epoch);
	Given.received = NetClock::ServerTime(Reply.ReceivedTicks);
	Given.sent = NetClock::ServerTime(Reply.SentTicks);
	const netclock::status Result =
		Session->GetGuest()->clock().handle_reply(Given, NetClock::LocalTime(Arrived));
	if (Result != netclock::status::ok)
	{
		return false;
	}
	Session->Confirm(Arrived, Reply.Epoch);
	return true;
}

bool UNetClockBlueprintLibrary::AnswerClockRequest(const UObject* WorldContextObject,
	const FNetClockRequest& Request, int64 ReceivedTicks, FNetClockReply& Reply)
{
	Reply = FNetClockReply();
	UNetClockSession* Session = SessionOf(WorldContextObject, false);
	if (!Session || Session->KeepsTime() || !NetClock::IsLibraryUsable())
	{
		return false;
	}
	Session->SetAnswered();
	// A server's only state is its epoch, so each reply can use a new server object.
	const auto Server = netclock::server::create(static_cast<uint64>(Session->GetServerEpoch()));
	netclock::request Asked;
	Asked.id = static_cast<uint64>(Request.Id);
	Asked.client_time = NetClock::LocalTime(Request.ClientTicks);
	const auto Answer = Server->respond(Asked, NetClock::ServerTime(Session->ServerTicks(ReceivedTicks)),
		NetClock::ServerTime(Session->ServerTicks(NetClock::LocalTicks())));
	if (!Answer)
	{
		return false;
	}
	Reply.Id = static_cast<int64>(Answer->id);
	Reply.Epoch = static_cast<int64>(Answer->epoch);
	Reply.ReceivedTicks = NetClock::TicksOf(Answer->received);
	Reply.SentTicks = NetClock::TicksOf(Answer->sent);
	return true;
}

int64 UNetClockBlueprintLibrary::GetLocalClockTicks()
{
	return NetClock::LocalTicks();
}
