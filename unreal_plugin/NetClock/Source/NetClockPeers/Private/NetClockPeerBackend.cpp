// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock_peer.h: peers and relays.

#include "NetClockPeerBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "Misc/Guid.h"
#include "NetClockCLibrary.h"

namespace
{
	static_assert(NETCLOCK_MAX_MESSAGE_SIZE == NetClock::MessageMost, "the room for a message");

	double SpanToMs(int64_t Span)
	{
		return Span == NETCLOCK_UNBOUNDED ? NetClock::UnknownMs : NetClock::TicksToMs(Span);
	}

	/** The largest number that a game's own message may have. */
	constexpr int32 MostNumber = 65535;

	ENetClockPeerStage PeerStageOf(int32_t Stage)
	{
		switch (Stage)
		{
		case NETCLOCK_PEER_WAITING: return ENetClockPeerStage::Waiting;
		case NETCLOCK_PEER_SYNCED: return ENetClockPeerStage::Synced;
		case NETCLOCK_PEER_PLAYING: return ENetClockPeerStage::Playing;
		case NETCLOCK_PEER_ENDED: return ENetClockPeerStage::Ended;
		default: return ENetClockPeerStage::Joining;
		}
	}

	ENetClockPeerRole RoleOf(int32_t Role)
	{
		switch (Role)
		{
		case NETCLOCK_ROLE_PRIMARY: return ENetClockPeerRole::Primary;
		case NETCLOCK_ROLE_SECONDARY: return ENetClockPeerRole::Secondary;
		default: return ENetClockPeerRole::None;
		}
	}

	ENetClockRejection RejectionOf(int32_t Rejection)
	{
		switch (Rejection)
		{
		case NETCLOCK_REJECTED_VERSION: return ENetClockRejection::Version;
		case NETCLOCK_REJECTED_FULL: return ENetClockRejection::Full;
		case NETCLOCK_REJECTED_DUPLICATE: return ENetClockRejection::Duplicate;
		case NETCLOCK_REJECTED_LOGIN: return ENetClockRejection::NotLoggedIn;
		default: return ENetClockRejection::None;
		}
	}
}

TSharedPtr<FNetClockStreamReader> FNetClockStreamReader::Create()
{
	return Own<FNetClockStreamReader>(
		&netclock_stream_destroy, [](netclock_stream** Made) { return netclock_stream_create(Made); });
}

bool FNetClockStreamReader::Push(const uint8* Bytes, int32 Length, int32& Taken)
{
	size_t Some = 0;
	const netclock_status Status = netclock_stream_push(Handle, Bytes, static_cast<size_t>(Length), &Some);
	Taken = static_cast<int32>(Some);
	return Status == NETCLOCK_OK;
}

bool FNetClockStreamReader::Next(uint8* Message, int32& Length)
{
	size_t Whole = 0;
	const netclock_status Status = netclock_stream_next(Handle, Message, NetClock::MessageMost, &Whole);
	Length = Status == NETCLOCK_OK ? static_cast<int32>(Whole) : 0;
	return Status == NETCLOCK_OK || Status == NETCLOCK_INCOMPLETE;
}

TSharedPtr<FNetClockPeerHandle> FNetClockPeerHandle::Create(int64 Game, const FGuid& Seed)
{
	return Own<FNetClockPeerHandle>(&netclock_peer_destroy,
		[&](netclock_peer** Made)
		{
			return netclock_peer_create(
				nullptr, static_cast<uint64_t>(Game), NetClock::HighOf(Seed), NetClock::LowOf(Seed), Made);
		});
}

bool FNetClockPeerHandle::Receive(
	const uint8* Message, int32 Length, int64 Arrived, FNetClockGameMessage& Game)
{
	auto Heard = netclock::detail::sized<netclock_peer_game_message>();
	if (netclock_peer_receive(Handle, Message, static_cast<size_t>(Length), Arrived, &Heard) !=
		NETCLOCK_GAME_MESSAGE)
	{
		return false;
	}
	Game.Number = static_cast<int32>(Heard.id);
	Game.Slot = static_cast<int32>(Heard.slot);
	Game.SentTicks = Heard.time;
	Game.Data.Reset();
	for (int32 Index = NETCLOCK_GAME_HEADER_SIZE; Index < Length; ++Index)
	{
		Game.Data.Add(Message[Index]);
	}
	return true;
}

int32 FNetClockPeerHandle::NextMessage(int64 Now, uint8* Message)
{
	size_t Length = 0;
	return netclock_peer_next_message(Handle, Now, Message, NetClock::MessageMost, &Length) == NETCLOCK_OK
		? static_cast<int32>(Length)
		: 0;
}

int32 FNetClockPeerHandle::Stamp(int64 Now, int32 Number, const uint8* Data, int32 DataLength, uint8* Message)
{
	if (Number < NETCLOCK_FIRST_GAME_ID || Number > MostNumber)
	{
		return 0;
	}
	size_t Length = 0;
	const netclock_status Status = netclock_peer_stamp(Handle, Now, static_cast<uint16_t>(Number), Data,
		static_cast<size_t>(DataLength), Message, NetClock::MessageMost, &Length);
	return Status == NETCLOCK_OK ? static_cast<int32>(Length) : 0;
}

void FNetClockPeerHandle::Leave()
{
	static_cast<void>(netclock_peer_leave(Handle));
}

FNetClockPeerStatus FNetClockPeerHandle::Read(int64 Now) const
{
	FNetClockPeerStatus Result;
	auto Reading = netclock::detail::sized<netclock_peer_reading>();
	if (netclock_peer_read(Handle, Now, &Reading) != NETCLOCK_OK)
	{
		return Result;
	}
	Result.Stage = PeerStageOf(Reading.stage);
	Result.Role = RoleOf(Reading.role);
	Result.Rejection = RejectionOf(Reading.rejection);
	Result.State = NetClock::StateOf(Reading.state);
	Result.Slot = static_cast<int32>(Reading.slot);
	Result.Players = static_cast<int32>(Reading.players);
	Result.SharedTicks = Reading.time;
	Result.ErrorBoundMs = SpanToMs(Reading.error_bound);
	Result.ExpectedErrorMs = SpanToMs(Reading.expected_error);
	Result.InheritedMs = SpanToMs(Reading.inherited);
	Result.RoundTripMs = SpanToMs(Reading.round_trip);
	Result.Epoch = static_cast<int32>(Reading.epoch);
	Result.ServerEpoch = static_cast<int64>(Reading.authority);
	return Result;
}

TSharedPtr<FNetClockRelayHandle> FNetClockRelayHandle::Create(
	int32 Games, int32 Slots, int32 Players, const FGuid& Seed)
{
	// Zero would select the library's default.
	if (Games < 1 || Slots < 1 || Players < 1)
	{
		return nullptr;
	}
	auto Config = netclock::detail::sized<netclock_relay_config>();
	Config.games = static_cast<uint32_t>(Games);
	Config.slots = static_cast<uint32_t>(Slots);
	Config.players = static_cast<uint32_t>(Players);
	return Own<FNetClockRelayHandle>(&netclock_relay_destroy, [&](netclock_relay** Made)
		{ return netclock_relay_create(&Config, NetClock::HighOf(Seed), NetClock::LowOf(Seed), Made); });
}

bool FNetClockRelayHandle::Receive(int64 Connection, const uint8* Message, int32 Length, int64 Arrived)
{
	return netclock_relay_receive(Handle, static_cast<uint64_t>(Connection), Message,
			   static_cast<size_t>(Length), Arrived) == NETCLOCK_OK;
}

void FNetClockRelayHandle::Disconnect(int64 Connection, int64 Now)
{
	static_cast<void>(netclock_relay_disconnect(Handle, static_cast<uint64_t>(Connection), Now));
}

int32 FNetClockRelayHandle::NextMessage(int64 Now, int64& Connection, uint8* Message)
{
	uint64_t To = 0;
	size_t Length = 0;
	if (netclock_relay_next_message(Handle, Now, &To, Message, NetClock::MessageMost, &Length) != NETCLOCK_OK)
	{
		return 0;
	}
	Connection = static_cast<int64>(To);
	return static_cast<int32>(Length);
}

bool FNetClockRelayHandle::GetGame(int64 Game, FNetClockRelayGame& Found) const
{
	auto Session = netclock::detail::sized<netclock_relay_game>();
	if (netclock_relay_read_game(Handle, static_cast<uint64_t>(Game), &Session) != NETCLOCK_OK)
	{
		return false;
	}
	Found.Players = static_cast<int32>(Session.players);
	Found.Primaries = static_cast<int32>(Session.generation);
	Found.bBegan = Session.began != 0;
	Found.bHasPrimary = Session.has_primary != 0;
	Found.Connection = static_cast<int64>(Session.primary);
	Found.Dropped = static_cast<int32>(Session.dropped);
	return true;
}
