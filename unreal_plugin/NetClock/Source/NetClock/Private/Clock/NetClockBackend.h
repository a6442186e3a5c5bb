// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Clock/NetClockTypes.h"

class FNetClockLatency;
class FNetClockParticipant;
class FNetClockRecorder;
struct FNetClockDatagram;
struct netclock_client;
struct netclock_server;

namespace NetClock
{
	/** Ticks in a second, as of FTimespan. */
	constexpr int64 TicksPerSecond = 10000000;

	/**
	 * This machine's monotonic real clock, in ticks of 100 ns. Never a world's time: that stands still within a frame,
	 * pauses, is dilated and starts anew with each world.
	 */
	NETCLOCK_API int64 LocalTicks();

	/** True if the library is there and of the version that this was built for. If not, the first call logs why. */
	NETCLOCK_API bool IsLibraryUsable();

	/** From now on the library counts as not there; it is not called, not even for its version. */
	void DoNotUseLibrary();
}

/** Something that happened to the clock. */
struct FNetClockEvent
{
	enum class EKind : uint8 { Synced, Discontinuity, Degraded, Recovered, HandedOver };

	EKind Kind = EKind::Synced;
	ENetClockCause Cause = ENetClockCause::None;
	ENetClockDegradation Degradation = ENetClockDegradation::None;
	double JumpMs = 0.0;
};

/** Answers requests and remembers nobody. */
class NETCLOCK_API FNetClockServer
{
public:
	/** Epoch names this run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockServer> Create(int64 Epoch);

	explicit FNetClockServer(netclock_server* InHandle) : Handle(InHandle) {}
	~FNetClockServer();
	FNetClockServer(const FNetClockServer&) = delete;
	FNetClockServer& operator=(const FNetClockServer&) = delete;

	/** The reply to a request. False if a stamp is no time: then nothing is to be sent. */
	bool Answer(const FNetClockRequest& Request, int64 ReceivedTicks, int64 SentTicks, FNetClockReply& Reply) const;

private:
	netclock_server* Handle;
};

/** A client's clock: all that the plugin knows of the library. Local times are LocalTicks(). */
class NETCLOCK_API FNetClockClient
{
public:
	/** Null if there is no library. The seed makes request ids unguessable. */
	static TSharedPtr<FNetClockClient> Create(const FGuid& Seed);

	explicit FNetClockClient(netclock_client* InHandle) : Handle(InHandle) {}
	~FNetClockClient();
	FNetClockClient(const FNetClockClient&) = delete;
	FNetClockClient& operator=(const FNetClockClient&) = delete;

	/** True if a request is due: send it at once, reliably if bReliable. Call it every frame. */
	bool Tick(int64 Now, FNetClockRequest& Request, bool& bReliable);

	/** A request whatever the schedule says. */
	bool MakeRequest(int64 Now, FNetClockRequest& Request);

	/** True if the reply was accepted. */
	bool HandleReply(const FNetClockReply& Reply, int64 Arrived);

	/** The server's time at a local one, or zero until synced. */
	int64 CurrentServerTicks(int64 Now) const;

	FNetClockStatus Read(int64 Now) const;

	/** True if there was one. */
	bool NextEvent(FNetClockEvent& Event);

	/**
	 * Follows another run of a server's clock from its first reply on, or hears anew how far the present one may be off its
	 * timescale. False if it is of another timescale than the present one.
	 */
	bool GoOnWith(const FNetClockAuthority& Authority, int64 Now);

	/** Whose time is shown; false until synced. */
	bool GetAuthority(int64 Now, FNetClockAuthority& Authority) const;

	/** What to answer a server that takes the time over; false if nothing certain is known of its timescale. */
	bool Answer(const FNetClockDatagram& Question, int64 Now, FNetClockDatagram& Answered) const;

	/** Who writes down every exchange from now on; null for nobody. */
	void SetRecorder(const TSharedPtr<FNetClockRecorder>& NewRecorder);

private:
	// What follows the clock itself, not what was read of it.
	friend class FNetClockLatency;
	friend class FNetClockParticipant;

	netclock_client* Handle;
	TSharedPtr<FNetClockRecorder> Recorder;
};
