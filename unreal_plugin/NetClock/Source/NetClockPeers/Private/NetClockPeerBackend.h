// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Peers/NetClockPeer.h"

struct FGuid;
struct netclock_stream;
struct netclock_peer;
struct netclock_relay;

/** Owns one of the library's handles, so it cannot be copied. */
template <class T> class TNetClockOwner
{
public:
	using FEnd = int32 (*)(T*);

	TNetClockOwner(T* const InHandle, FEnd InEnd) : Handle(InHandle), End(InEnd) {}
	~TNetClockOwner() { static_cast<void>(End(Handle)); }
	TNetClockOwner(const TNetClockOwner&) = delete;
	TNetClockOwner& operator=(const TNetClockOwner&) = delete;

protected:
	/** Returns null if there is no library, or if Create(&Handle) returns anything but NETCLOCK_OK, which is
	 * zero. */
	template <class TDerived, class TCreate> static TSharedPtr<TDerived> Own(FEnd InEnd, TCreate Create)
	{
		T* Made = nullptr;
		if (!NetClock::IsLibraryUsable() || Create(&Made) != 0)
		{
			return nullptr;
		}
		return MakeShared<TDerived>(Made, InEnd);
	}

	T* Handle;

private:
	FEnd End;
};

namespace NetClock
{
	/** The length of the longest message between a relay and its peers, in bytes. */
	constexpr int32 MessageMost = 1024;
}

/** Splits a stream of bytes into messages. */
class FNetClockStreamReader : public TNetClockOwner<netclock_stream>
{
public:
	/** Returns null if there is no library. */
	static TSharedPtr<FNetClockStreamReader> Create();

	using TNetClockOwner::TNetClockOwner;

	/** Calls Receive for each message that these bytes complete. Returns false if the stream is broken. */
	template <class T> bool Read(const TArray<uint8>& Bytes, T Receive)
	{
		uint8 Message[NetClock::MessageMost];
		for (int32 From = 0; From < Bytes.Num();)
		{
			int32 Taken = 0;
			int32 Length = 0;
			if (!Push(Bytes.GetData() + From, Bytes.Num() - From, Taken))
			{
				return false;
			}
			From += Taken;
			do
			{
				if (!Next(Message, Length))
				{
					return false;
				}
				if (Length > 0)
				{
					Receive(Message, Length);
				}
			} while (Length > 0);
		}
		return true;
	}

private:
	/** Takes some of the bytes, and sets Taken to their number. Returns false if the stream is broken. */
	bool Push(const uint8* Bytes, int32 Length, int32& Taken);

	/** Finds the next whole message. Its length is zero if there is none yet. Returns false if the stream is
	 * broken. */
	bool Next(uint8* Message, int32& Length);

};

/** A peer. Times are LocalTicks(). */
class FNetClockPeerHandle : public TNetClockOwner<netclock_peer>
{
public:
	/** Returns null if there is no library. */
	static TSharedPtr<FNetClockPeerHandle> Create(int64 Game, const FGuid& Seed);

	using TNetClockOwner::TNetClockOwner;

	/** Returns true if it is a message of the game. An invalid message changes nothing. */
	bool Receive(const uint8* Message, int32 Length, int64 Arrived, FNetClockGameMessage& Game);
	/** Writes the next message to send, of at most MessageMost bytes. Returns its length, or zero if none is
	 * due. */
	int32 NextMessage(int64 Now, uint8* Message);
	/** Creates a message of the game, of at most MessageMost bytes. Returns its length, or zero if it cannot
	 * be sent. */
	int32 Stamp(int64 Now, int32 Number, const uint8* Data, int32 DataLength, uint8* Message);
	void Leave();
	FNetClockPeerStatus Read(int64 Now) const;
};

/** A relay. Times are LocalTicks(). */
class FNetClockRelayHandle : public TNetClockOwner<netclock_relay>
{
public:
	/** Returns null if there is no library, or if a number is out of range. */
	static TSharedPtr<FNetClockRelayHandle> Create(
		int32 Games, int32 Slots, int32 Players, const FGuid& Seed);

	using TNetClockOwner::TNetClockOwner;

	/** Returns false if the relay rejected it. */
	bool Receive(int64 Connection, const uint8* Message, int32 Length, int64 Arrived);
	void Disconnect(int64 Connection, int64 Now);
	/** Writes the next message to send, of at most MessageMost bytes, and its connection. Returns its length,
	 * or zero if none is due. */
	int32 NextMessage(int64 Now, int64& Connection, uint8* Message);
	bool GetGame(int64 Game, FNetClockRelayGame& Found) const;
};
