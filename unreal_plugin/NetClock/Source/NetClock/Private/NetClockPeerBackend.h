// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockPeerTypes.h"

struct FGuid;
struct netclock_stream;
struct netclock_peer;
struct netclock_relay;

namespace NetClock
{
	/** Longest message between a relay and its peers, in bytes. */
	constexpr int32 MessageMost = 1024;
}

/** Takes messages out of a stream of bytes. */
class FNetClockFrames
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockFrames> Create();

	explicit FNetClockFrames(netclock_stream* InHandle) : Handle(InHandle) {}
	~FNetClockFrames();
	FNetClockFrames(const FNetClockFrames&) = delete;
	FNetClockFrames& operator=(const FNetClockFrames&) = delete;

	/** Tells of each message that is whole with these bytes: what it says, and its length. False if the stream is broken. */
	template <class T> bool Read(const TArray<uint8>& Bytes, T Hear)
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
					Hear(Message, Length);
				}
			} while (Length > 0);
		}
		return true;
	}

private:
	/** Takes some of the bytes and says how many. False if the stream is broken. */
	bool Push(const uint8* Bytes, int32 Length, int32& Taken);

	/** The next whole message; its length is zero if there is none yet. False if the stream is broken. */
	bool Next(uint8* Message, int32& Length);

	netclock_stream* Handle;
};

/** A peer. Times are LocalTicks(). */
class FNetClockPeerHandle
{
public:
	/** Null if there is no library. */
	static TSharedPtr<FNetClockPeerHandle> Create(int64 Game, const FGuid& Seed);

	explicit FNetClockPeerHandle(netclock_peer* InHandle) : Handle(InHandle) {}
	~FNetClockPeerHandle();
	FNetClockPeerHandle(const FNetClockPeerHandle&) = delete;
	FNetClockPeerHandle& operator=(const FNetClockPeerHandle&) = delete;

	/** True if it is a message of the game's own. What makes no sense changes nothing. */
	bool Receive(const uint8* Message, int32 Length, int64 Arrived, FNetClockGameMessage& Game);
	void Tick(int64 Now);
	/** The next message to be sent, of MessageMost bytes at most; its length, or zero if nothing is due. */
	int32 NextMessage(int64 Now, uint8* Message);
	/** A message of the game's own, of MessageMost bytes at most; its length, or zero if it cannot be sent. */
	int32 Stamp(int64 Now, int32 Number, const uint8* Data, int32 DataLength, uint8* Message);
	void Leave();
	FNetClockPeerStatus Read(int64 Now) const;

private:
	netclock_peer* Handle;
};

/** A relay. Times are LocalTicks(). */
class FNetClockRelayHandle
{
public:
	/** Null if there is no library, or a number is out of its range. */
	static TSharedPtr<FNetClockRelayHandle> Create(int32 Games, int32 Seats, int32 Players, const FGuid& Seed);

	explicit FNetClockRelayHandle(netclock_relay* InHandle) : Handle(InHandle) {}
	~FNetClockRelayHandle();
	FNetClockRelayHandle(const FNetClockRelayHandle&) = delete;
	FNetClockRelayHandle& operator=(const FNetClockRelayHandle&) = delete;

	/** False if it was refused. */
	bool Receive(int64 Connection, const uint8* Message, int32 Length, int64 Arrived);
	void Disconnect(int64 Connection, int64 Now);
	/** The next message to be sent and its connection, of MessageMost bytes at most; its length, or zero if nothing is due. */
	int32 NextMessage(int64 Now, int64& Connection, uint8* Message);
	bool GetGame(int64 Game, FNetClockRelayGame& Found) const;

private:
	netclock_relay* Handle;
};
