// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Clock/NetClockTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockSession.generated.h"

class FNetClockClient;
class FNetClockLatency;
class FNetClockLead;
class FNetClockRecorder;
class FNetClockServer;
class UNetConnection;

/**
 * What outlives a world: the name of this run of the server's clock, and a client's clock, which goes on through travel
 * for as long as the server is the same. One for each game instance, so that several games in one process (PIE) do not
 * meet.
 */
UCLASS()
class NETCLOCK_API UNetClockSession : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** The name of this run of the server's clock. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Server: the time that it serves, at an instant of this machine's clock; both in ticks of 100 ns. */
	int64 ServerTicks(int64 LocalTicks) const { return LocalTicks + ServerOffset; }

	/** Server: from now on it serves a timescale, which is ahead of this machine's clock by OffsetTicks, in a run of its own. */
	void Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs);

	/** Server: how far the served clock is off its timescale now, give or take. */
	void Restate(double DispersionMs);

	/** Server: whose time it serves, and how far that may be off by now. */
	FNetClockAuthority GetServedAuthority() const;

	/** Server: true if a client was answered in this run of the clock. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** Client: the clock that is followed goes on to be shown until it is known whose the next server's is. False if it is not synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** Client: whether the server of the new connection goes on with the kept time, once for each; None if that is not decided. */
	ENetClockContinuation TakeDecision(bool& bNewClock);

	/** Client: what a server says of its clock. False if it shows another timescale than the clock that is followed. */
	bool LearnAuthority(const FNetClockAuthority& Authority);

	/** Answers clients. Made when it is first asked for; null if there is no library. */
	const TSharedPtr<FNetClockServer>& GetServer();

	/**
	 * The clock that follows the server at the other end of a connection; null if there is no library. Another connection
	 * may be another server (bNewConnection, if there was one before): then the clock is not to be shown until a reply
	 * has said which. If it is the same run of the server's clock, it goes on with all that it knows, else a new one begins.
	 */
	TSharedPtr<FNetClockClient> ClientFor(UNetConnection* Connection, bool& bNewConnection);

	/** Server: the number of a world that begins now, one more for each. */
	int32 NumberWorld() { return ++Worlds; }

	/** Client: its game has left that world of the server; what still arrives of it, or of an older one, is late. */
	void LeaveWorld(int64 Epoch, int32 World);
	bool HasLeftWorld(int64 Epoch, int32 World) const;

	/** The clock of the newest connection, or null. */
	const TSharedPtr<FNetClockClient>& GetClient() const { return Client; }

	/** Client: how long messages take, by that clock; or null. */
	const TSharedPtr<FNetClockLead>& GetLead() const { return Lead; }

	/** Client: the watch over its connection's delays; or null. */
	const TSharedPtr<FNetClockLatency>& GetLatency() const { return Latency; }

	/** Client: learns from a reply. False if it was refused. */
	bool HandleReply(const FNetClockReply& Reply, int64 Arrived);

	/** True if the clock is not to be shown: no reply has said yet that the server is the one that it has followed on another connection. */
	bool IsUnproved() const { return bUnproved && !bKeeps; }

	/** True once for each time that a reply has said so. */
	bool TakeProved();

	/**
	 * Client: from now on every exchange is written into a file below Saved/NetClock, for `lab replay --recording`. It
	 * goes on through travel; with another server, in a file of its own. It may begin before there is a connection.
	 * Name may be empty. Message says where it is, or, if false is returned, why not.
	 */
	bool StartRecording(const FString& Name, FString& Message);

	/** Ends the recording: its file is complete. Message says what is in it. False if there is nothing to be had. */
	bool StopRecording(FString& Message);

	/** The recording that is under way or has ended by itself, or null. */
	const TSharedPtr<FNetClockRecorder>& GetRecorder() const { return Recorder; }

private:
	void BeginClock();
	bool AwaitsStatement(const FNetClockReply& Reply, int64 Arrived);
	bool GoesOn(const FNetClockReply& Reply, int64 Arrived);
	void Decide(ENetClockContinuation Result);

	ENetClockContinuation Decision = ENetClockContinuation::None;
	/** A kept clock has a new connection, and which of its timelines it was in before the first reply. */
	bool bUndecided = false;
	int32 KeptTimeline = 0;
	bool bNewClockBegan = false;
	/** When another run of a clock was heard first on this connection. */
	int64 OtherSinceTicks = 0;
	/** From this machine's clock to the one that is served. */
	int64 ServerOffset = 0;
	/** What the served clock is, if it is not its own timescale, and when that was said. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	bool bAnswered = false;
	/** Client: what was said last by a server. */
	FNetClockAuthority Learned;
	bool bKeeps = false;
	bool bUnproved = false;
	bool bProved = false;
	int64 ServerEpoch = 0;
	int32 Worlds = 0;
	int64 LeftEpoch = 0;
	int32 LeftWorld = 0;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	TSharedPtr<FNetClockClient> Client;
	TSharedPtr<FNetClockLead> Lead;
	TSharedPtr<FNetClockLatency> Latency;
	TSharedPtr<FNetClockServer> Server;
	TSharedPtr<FNetClockRecorder> Recorder;
};
