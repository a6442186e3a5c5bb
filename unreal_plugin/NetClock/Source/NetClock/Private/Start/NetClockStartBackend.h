// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Start/NetClockStartTypes.h"

class FNetClockClient;
struct netclock_organiser;
struct netclock_participant;

/** What became of a proposal. */
struct FNetClockProposal
{
	enum class EResult : uint8 { Scheduled, HeldUp, Refused };

	EResult Result = EResult::Refused;
	/** When it is to begin. */
	int64 AtTicks = 0;
	/** Held up: by whom, and why. */
	int64 Player = 0;
	ENetClockHoldUp HoldUp = ENetClockHoldUp::None;
	int32 NotReady = 0;
};

/** Server: plans starts, and collects when they began. Players are numbers of the caller's; times are LocalTicks(). */
class FNetClockOrganiser
{
public:
	/** Epoch names this run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockOrganiser> Create(int64 Epoch);

	explicit FNetClockOrganiser(netclock_organiser* InHandle) : Handle(InHandle) {}
	~FNetClockOrganiser();
	FNetClockOrganiser(const FNetClockOrganiser&) = delete;
	FNetClockOrganiser& operator=(const FNetClockOrganiser&) = delete;

	/** False if there is no room for another one. */
	bool Admit(int64 Player);
	void LeaveOut(int64 Player);

	/**
	 * From now on a start is wanted, no sooner than that many ticks ahead. While it is planned, the organiser is shown a
	 * clock that is ahead by as much: it schedules as early as all can know, counted from what it is shown.
	 */
	void Plan(int64 MinimumDelay) { Ahead = MinimumDelay; }
	FNetClockProposal Propose(int64 Now, double Confidence);

	/** False if there is nothing to cancel, or its time has come. */
	bool Cancel(int64 Now);

	/** A message of a player's; what makes no sense changes nothing. */
	void Receive(int64 Player, const FNetClockDatagram& Datagram, int64 Now);

	/** True if there is something to send, and to whom. */
	bool NextMessage(int64 Now, int64& Player, FNetClockDatagram& Datagram);

	FNetClockPlayerStart Read(int64 Player, int64 Now) const;

private:
	netclock_organiser* Handle;
	int64 Ahead = 0;
};

/** What a participant knows in a frame. */
struct FNetClockProgress
{
	ENetClockStartStage Stage = ENetClockStartStage::None;
	/** This is the frame to start in: once for each start. */
	bool bFires = false;
	int64 AtTicks = 0;
	double LatenessMs = 0.0;
	double ErrorBoundMs = NetClock::UnknownMs;
};

/** Client: takes part in the starts of one world of the server. */
class FNetClockParticipant
{
public:
	/** Null if there is no library. The key makes its messages unguessable. */
	static TSharedPtr<FNetClockParticipant> Create(const FGuid& Key);

	explicit FNetClockParticipant(netclock_participant* InHandle) : Handle(InHandle) {}
	~FNetClockParticipant();
	FNetClockParticipant(const FNetClockParticipant&) = delete;
	FNetClockParticipant& operator=(const FNetClockParticipant&) = delete;

	void Receive(const FNetClockDatagram& Datagram);
	FNetClockProgress Tick(const FNetClockClient& Client, int64 Now);
	bool NextMessage(FNetClockDatagram& Datagram);

private:
	netclock_participant* Handle;
};

/** Beats at a whole number a second, and how far somebody has come who is told of each. */
struct FNetClockBeats
{
	/** When beat 0 begins, in ticks of the server's real time. */
	int64 OriginTicks = 0;
	/** A second; 1 to 240. */
	int32 Rate = 0;
	/** The next beat that is to be told of. */
	int64 Next = 0;

	static constexpr int32 MaxRate = 240;

	/** The beat under way at a time, and the fraction of it that has passed. False if the rate is none. */
	bool At(int64 ServerTicks, int64& Beat, double& Alpha) const;

	/** Beats to be told of now, from First on; they count as told. */
	int32 Advance(int64 ServerTicks, int64& First);
};
