// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Start/NetClockStart.h"

class FNetClockClient;
struct FGuid;
struct netclock_organiser;
struct netclock_participant;

/** The result of an attempt to schedule a start. */
struct FNetClockProposal
{
	enum class EResult : uint8 { Scheduled, HeldUp, Refused };

	EResult Result = EResult::Refused;
	/** The instant of the start, in ticks. */
	int64 AtTicks = 0;
	/** Held up: the player for whom the start has to wait, and why. */
	int64 Player = 0;
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;
	int32 NotReady = 0;
};

/** Server: schedules starts, and collects when they began. The caller numbers the players. Times are those
 * that the server serves, in ticks. */
class FNetClockOrganiser : public TNetClockOwner<netclock_organiser>
{
public:
	/** Epoch identifies this run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockOrganiser> Create(int64 Epoch);

	using TNetClockOwner::TNetClockOwner;

	/** False if there is no room for another player. */
	bool Admit(int64 Player);
	void Remove(int64 Player);

	/**
	 * The next start lies at least that many ticks ahead. The library has no such setting: it schedules a
	 * start as early as all players can know. So until then it sees a clock that is ahead by the delay.
	 */
	void SetMinimumDelay(int64 MinimumDelay) { Ahead = MinimumDelay; }
	FNetClockProposal Propose(int64 Now, double Confidence);

	/** False if there is no start to cancel, or if its time has come. */
	bool Cancel(int64 Now);

	/** A message of a player arrived. An invalid one changes nothing. */
	void Receive(int64 Player, const FNetClockDatagram& Datagram, int64 Now);

	/** The next message, and the player to send it to. False if none is due. */
	bool NextMessage(int64 Now, int64& Player, FNetClockDatagram& Datagram);

	FNetClockPlayerStart Read(int64 Player, int64 Now) const;

private:
	int64 Ahead = 0;
};

/** What a participant knows in one frame. */
struct FNetClockProgress
{
	ENetClockStartStage Stage = ENetClockStartStage::None;
	/** This is the frame to start in. True once for each start. */
	bool bFires = false;
	int64 AtTicks = 0;
	/** Number of its announcement. */
	uint32 Version = 0;
	double LatenessMs = 0.0;
	double ErrorBoundMs = NetClock::UnknownMs;
};

/** Client: takes part in the starts of one of the server's worlds. */
class FNetClockParticipant : public TNetClockOwner<netclock_participant>
{
public:
	/** Null if there is no library. The key makes its messages unguessable. */
	static TSharedPtr<FNetClockParticipant> Create(const FGuid& Key);

	using TNetClockOwner::TNetClockOwner;

	void Receive(const FNetClockDatagram& Datagram);
	FNetClockProgress Tick(const FNetClockClient& Client, int64 Now);
	bool NextMessage(FNetClockDatagram& Datagram);
};

/** Beats at a whole number per second, and the next beat to report. */
struct FNetClockBeats
{
	/** When beat 0 begins: the server's real time, in ticks. */
	int64 OriginTicks = 0;
	/** Beats per second, from 1 to 240. */
	int32 Rate = 0;
	/** The next beat to report. */
	int64 Next = 0;

	static constexpr int32 MaxRate = 240;

	/** The current beat at a time, and the fraction of it that has passed. False if the rate is out of
	 * range. */
	bool At(int64 ServerTicks, int64& Beat, double& Alpha) const;

	/** The number of beats to report now, from First on. They count as reported. */
	int32 Advance(int64 ServerTicks, int64& First);
};
