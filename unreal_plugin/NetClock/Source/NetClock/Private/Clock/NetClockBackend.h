// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"

class FNetClockLatency;
class FNetClockLinkClient;
class FNetClockParticipant;
class FNetClockRecorder;
class FNetClockTap;
struct FGuid;
struct FNetClockDatagram;
struct FNetClockKnown;
struct netclock_client;
struct netclock_server;

namespace NetClock
{
	/** From now on the library counts as missing: the plugin does not call it, not even for its version. */
	void DoNotUseLibrary();

	/** The identity of this machine's boot: rates that were kept before it count less. Zero if unknown. */
	int64 BootId();
}

/** Answers requests. It keeps no state about clients. */
class FNetClockServer : public TNetClockOwner<netclock_server>
{
public:
	/** Epoch identifies this run of the server's clock. Null if there is no library. */
	static TSharedPtr<FNetClockServer> Create(int64 Epoch);

	using TNetClockOwner::TNetClockOwner;

	/** Makes the reply to a request. False if a stamp is out of range: then send nothing. */
	bool Answer(
		const FNetClockRequest& Request, int64 ReceivedTicks, int64 SentTicks, FNetClockReply& Reply) const;
};

/** A client's clock, which the library implements. Local times are LocalTicks(). */
class FNetClockClient : public TNetClockOwner<netclock_client>
{
public:
	/** Null if there is no library. The seed makes request ids unguessable. Known is what earlier sessions
	 * saved, at CalendarSeconds(). */
	static TSharedPtr<FNetClockClient> Create(const FGuid& Seed, const FNetClockKnown& Known);

	using TNetClockOwner::TNetClockOwner;
	~FNetClockClient() { Destroy(); }

	/** True if a request is due. Send it at once, reliably if bReliable. Call it every frame. */
	bool Tick(int64 Now, FNetClockRequest& Request, bool& bReliable);

	/** Asks at once and in a burst. */
	void BeginBurst();

	/** This machine's clock may have stopped before Now: nothing is certain until the next reply. */
	void MayHaveMissedTime(int64 Now);

	/** Steps to the best estimate if at least LeastMs are left to correct. Returns the step in ms. */
	double MakeStepMs(int64 Now, double LeastMs);

	/** Makes a request, regardless of the schedule. */
	bool MakeRequest(int64 Now, FNetClockRequest& Request);

	/** The game read its packets at At: replies that are handled from now on arrived later. */
	void NotePoll(int64 At);

	/** True if the clock accepted the reply. */
	bool HandleReply(const FNetClockReply& Reply, int64 Arrived);

	/** The boot of the server's machine, as BootId() is there. Zero if unknown. */
	void SetServerBoot(int64 Boot);

	/** What later sessions begin with. False if the rate is not known yet. */
	bool Save(FNetClockKnown& Known) const;

	/** True if the clock began with what earlier sessions knew of this machine, or of this server. */
	bool KnewMachine() const { return bKnewMachine; }
	bool KnewServer() const { return bKnewServer; }

	/** The server's time at a local time. Zero until synced. */
	int64 CurrentServerTicks(int64 Now) const;

	FNetClockStatus Read(int64 Now) const;

	/** What happened to the clock next. False if there is nothing more. */
	bool NextIncident(FNetClockIncident& Incident);

	/**
	 * Follows another run of a server's clock from its first reply on, or updates how far the present one may
	 * be off its timescale. False if its timescale is another one than the present one.
	 */
	bool SetAuthority(const FNetClockAuthority& Authority, int64 Now);

	/** Whose time this clock shows. False until synced. */
	bool GetAuthority(int64 Now, FNetClockAuthority& Authority) const;

	/** The answer to a server that takes over a time. False if this clock has no error bound for that
	 * timescale. */
	bool AnswerAdoption(const FNetClockDatagram& Question, int64 Now, FNetClockDatagram& Answered) const;

	/** Records every exchange from now on. Null ends that. */
	void SetRecorder(const TSharedPtr<FNetClockRecorder>& NewRecorder);

	/** Where to record what the server announces, after the exchanges so far. Null if nothing is recorded. */
	FNetClockRecorder* GetRecorder();

private:
	// They use the library's clock itself.
	friend class FNetClockLatency;
	friend class FNetClockLinkClient;
	friend class FNetClockParticipant;

	/** Gives the recorder what was tapped since the last call. */
	void Record();

	TSharedPtr<FNetClockRecorder> Recorder;
	/** The library may use it as long as the clock lives, on any thread. */
	TSharedPtr<FNetClockTap> Tap;
	bool bKnewMachine = false;
	bool bKnewServer = false;
};
