// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockSession.generated.h"

class FNetClockClient;
class FNetClockLatency;
class FNetClockLead;
class FNetClockRecorder;
class FNetClockServer;
class UNetConnection;
class UNetClockSession;
class UWorld;
struct FNetClockDatagram;

DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockServes, UNetClockSession&);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockDecides, ENetClockContinuation);

/**
 * Holds what lives longer than a world. A server has the epoch of its clock here. A client has its clock,
 * which continues through travel as long as the server is the same. There is one for each game instance, so
 * games in one process (PIE) stay apart.
 */
UCLASS()
class NETCLOCK_API UNetClockSession : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The session of the game that an object belongs to, or null. */
	static UNetClockSession* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Server: identifies this run of its clock. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Server: converts this machine's clock to the time that the server serves. Both are in ticks of 100
	 * ns. */
	int64 ServerTicks(int64 LocalTicks) const { return LocalTicks + ServerOffset; }

	/** Server: serves a timescale from now on, with a new epoch. OffsetTicks is the timescale minus this
	 * machine's clock. */
	void ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs);

	/** Server: sets how far the served clock may be off its timescale now, in ms. */
	void UpdateDispersion(double DispersionMs);

	/** Server: whose time it serves, and how far it may be off by now. */
	FNetClockAuthority GetServedAuthority() const;

	/** Server: true while it asks its players for the time. It has none to tell yet. */
	bool IsAsking() const { return bAsking; }
	void SetAsking(bool bAsks) { bAsking = bAsks; }

	/** A server's frame begins: for what decides whose time it serves. */
	FNetClockServes OnServing;

	/** Client: it is decided whether the new server continues the kept time. */
	FNetClockDecides OnDecided;

	/** Server: true if it answered a client in this run of its clock. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** Server: the world in which a start is prepared. Its players may know the time already. */
	void SetStartPreparedIn(const UWorld* World);
	bool IsStartPreparedIn(const UWorld* World) const;

	/** Client: keeps showing its clock until the next server's time is known. False if the clock is not
	 * synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** Client: whether the new server continues the kept time. Each decision comes once; None if there is no
	 * new one. */
	ENetClockContinuation TakeDecision(bool& bNewClock);

	/** Client: whose time its clock shows at a local time. False until synced. */
	bool GetFollowedAuthority(int64 Now, FNetClockAuthority& Authority) const;

	/** Client: what its clock shows at a local time. Unsynced if there is none. */
	FNetClockStatus ReadClient(int64 Now) const;

	/** Client: its answer to a server that takes over a time. False if its clock has no error bound for that
	 * timescale. */
	bool AnswerAdoption(const FNetClockDatagram& Question, int64 Now, FNetClockDatagram& Answer) const;

	/** Client: takes a server's authority. False if that server serves another timescale than the one this
	 * client follows. */
	bool LearnAuthority(const FNetClockAuthority& Authority);

	/** Client: takes the boot of the server's machine, for what is kept of that server. */
	void LearnServerBoot(int64 Boot);

	/** Answers clients. The first call creates it. Null if there is no library. */
	const TSharedPtr<FNetClockServer>& GetServer();

	/**
	 * Client: the clock that follows the server of a connection. Null if there is no library. bNewConnection:
	 * there was another connection before. A new connection may lead to another server, so the clock is
	 * hidden until the first reply. If the reply has the same epoch, the clock continues with all that it
	 * knows. Otherwise a new clock begins.
	 */
	TSharedPtr<FNetClockClient> ClientFor(UNetConnection* Connection, bool& bNewConnection);

	/**
	 * Client: keeps for later sessions what the clock knows, if the settings say so: a minute after its
	 * connection began, or as soon as the rate is known, then every ten minutes. Call it in each frame. The
	 * end of the connection and of the game do the same.
	 */
	void RememberNowAndThen(int64 Now);

	/** Server: the number for a world that begins now. Each world gets the next one. */
	int32 NumberWorld() { return ++Worlds; }

	/** Client: its game left that world of the server. Segments of it, or of an older world, are late from
	 * now on. */
	void LeaveWorld(int64 Epoch, int32 World)
	{
		LeftEpoch = Epoch;
		LeftWorld = World;
	}
	bool HasLeftWorld(int64 Epoch, int32 World) const
	{
		return LeftEpoch != 0 && Epoch == LeftEpoch && World <= LeftWorld;
	}

	/** Client: the clock of the newest connection, or null. */
	const TSharedPtr<FNetClockClient>& GetClient() const { return Client; }

	/** Client: true if that clock began with what earlier sessions learnt of this machine, or of this
	 * server. */
	bool KnewMachine() const;
	bool KnewServer() const;

	/** Client: the delays of messages, by that clock. May be null. */
	const TSharedPtr<FNetClockLead>& GetLead() const { return Lead; }

	/** Client: watches the delays of its connection for changes. May be null. */
	const TSharedPtr<FNetClockLatency>& GetLatency() const { return Latency; }

	/** Client: learns from a reply. False if the clock refused it. */
	bool HandleReply(const FNetClockReply& Reply, int64 Arrived);

	/** Client: true if the clock is hidden. There is a new connection, and no reply has confirmed yet that
	 * the server is the same. */
	bool IsUnconfirmed() const { return bUnconfirmed && !bKeeps; }

	/** Client: true if it is certain which server the clock follows: it is neither hidden nor kept, and
	 * nothing is to be decided. */
	bool IsSettled() const { return !bUnconfirmed && !bKeeps && !bUndecided; }

	/** Client: true once for each time that a reply confirmed it. */
	bool TakeConfirmed();

	/**
	 * Client: starts to write every exchange to a file below Saved/NetClock, for `lab report`.
	 * You can call it before there is a connection. The recording continues through travel; each server gets
	 * its own file. Name may be empty. Message names the file, or gives the reason if the result is false.
	 */
	bool StartRecording(const FString& Name, FString& Message);

	/** Ends the recording and completes its file. Message says what is in it. False if there is no complete
	 * recording. */
	bool StopRecording(FString& Message);

	/** The newest file of a recording, and the number of exchanges in it. False if there is no recording. */
	bool GetRecording(FString& File, int64& Exchanges) const;

private:
	void BeginClock();
	/** False if the rate is not known yet, or if nothing is to be kept. */
	bool Remember();
	bool WaitsForAuthority(const FNetClockReply& Reply, int64 Arrived);
	bool ContinuesWith(const FNetClockReply& Reply, int64 Arrived);
	void Decide(ENetClockContinuation Result);

	ENetClockContinuation Decision = ENetClockContinuation::None;
	/** A kept clock has a new connection; KeptTimeline is the epoch that it had before the first reply. */
	bool bUndecided = false;
	int32 KeptTimeline = 0;
	bool bNewClockBegan = false;
	/** When a reply with another epoch first arrived on this connection, in local ticks. */
	int64 OtherSinceTicks = 0;
	/** Server: the served clock minus this machine's clock, in ticks. */
	int64 ServerOffset = 0;
	/** Server: the authority of the served clock, if it does not serve its own timescale, and when it was
	 * set. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	bool bAnswered = false;
	bool bAsking = false;
	TWeakObjectPtr<const UWorld> PreparedWorld;
	/** Client: the newest authority that a server sent. */
	FNetClockAuthority Learned;
	int64 LearnedBoot = 0;
	bool bKeeps = false;
	bool bUnconfirmed = false;
	bool bConfirmed = false;
	int64 ServerEpoch = 0;
	int32 Worlds = 0;
	int64 LeftEpoch = 0;
	int32 LeftWorld = 0;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	/** Of that connection, without a port: what a machine's servers have in common is its clock. */
	FString FollowedAddress;
	/** When what is known was or will be kept next, in local ticks. */
	int64 RememberTicks = 0;
	TSharedPtr<FNetClockClient> Client;
	TSharedPtr<FNetClockLead> Lead;
	TSharedPtr<FNetClockLatency> Latency;
	TSharedPtr<FNetClockServer> Server;
	TSharedPtr<FNetClockRecorder> Recorder;
};
