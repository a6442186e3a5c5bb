// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockSession.generated.h"

class UNetClockComponent;
class UNetClockSession;
class UNetConnection;
class UWorld;

namespace netclock
{
	class guest;
	class host;
}

DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockSessionEvent, UNetClockSession&);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockDecides, bool /*bFollows*/);

/**
 * Holds what lives longer than a world: the library's end of the conversation. A server has a host, and a
 * client has a guest, whose clock continues through travel as long as the server is the same. There is one
 * for each game instance, so games in one process (PIE) stay apart.
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

	// Server.

	/** Identifies this run of its clock. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Converts this machine's clock to the time that the server serves. Both are in ticks of 100 ns. */
	int64 ServerTicks(int64 LocalTicks) const { return LocalTicks + ServerOffset; }

	/** Serves a timescale from now on, with a new epoch. OffsetTicks is the timescale minus this machine's
	 * clock. */
	void ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs);

	/** Sets how far the served clock may be off its timescale now, in ms. */
	void UpdateDispersion(double DispersionMs);

	/** Whose time it serves, and how far it may be off by now. */
	FNetClockAuthority GetServedAuthority() const;

	/** True while the server has no time to serve yet: it reads no messages of its players. */
	bool IsAsking() const { return bAsking; }
	void SetAsking(bool bAsks) { bAsking = bAsks; }

	/** A server's frame begins: for what decides whose time it serves. */
	FNetClockSessionEvent OnServing;

	/** True if it answered a client in this run of its clock. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** The world in which the game relies on the served time, so that it cannot be replaced any more. */
	void SetReliedOnIn(const UWorld* World) { ReliedOnIn = World; }
	bool IsReliedOnIn(const UWorld* World) const { return World && ReliedOnIn == World; }

	/** The library's host. The first call creates it. Null while the server has no time to serve, or if there
	 * is no library. */
	netclock::host* GetHost();

	/** The player of a number of the host, or null. */
	UNetClockComponent* GetPlayer(uint64 Number) const;

	/** A player's number, or -1 before anything came from the player. */
	int32 NumberOf(const UNetClockComponent& Player) const;

	/** Takes bytes of a player. False if they were not used. Polled is before they arrived. */
	bool ReceiveFromPlayer(
		UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Forgets a player who has left. */
	void Dismiss(const UNetClockComponent& Player);

	/** End of the frame: the host's worlds were observed. */
	void KeepBlob();

	/** The newest segments of the world's clocks, for replays. */
	const TArray<uint8>& GetBlob() const { return Blob; }

	/** What knows the past times of its worlds. May be null. */
	const netclock::guest* GetHistory() const { return History.Get(); }
	FNetClockSessionEvent OnBlobChanged;

	// Client.

	/** The library's guest. Null before the first connection, or if there is no library. */
	netclock::guest* GetGuest() const { return Guest.Get(); }

	/**
	 * Follows the server of a connection. True if there was another connection before. A new connection may
	 * lead to another server, so the clock is hidden until the first reply. If that has the same epoch, the
	 * clock continues with all that it knows.
	 */
	bool FollowConnection(UNetConnection* Connection);

	/** Its datagrams leave by this component from now on. */
	void SetAsking(const UNetClockComponent* Component);

	/** Takes bytes of the server. False if they were refused. Polled is before they arrived. */
	bool ReceiveFromServer(const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** The same for a reply that came by the game's own transport. */
	bool HandleReply(const FNetClockReply& Reply, int64 Arrived);

	/** Keeps showing its clock until the next server's time is known. False if the clock is not synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** It is decided whether the new server continues the kept time. */
	FNetClockDecides OnDecided;

	/** True once for each decision. */
	bool TakeDecision(bool& bFollows);

	/** Whose time its clock shows. False until synced. */
	bool GetFollowedAuthority(FNetClockAuthority& Authority) const;

	/** What its clock shows at a local time. Unsynced if there is none. */
	FNetClockStatus ReadClient(int64 Now) const;

	/** Takes a server's authority. False if that server serves another timescale than the one this client
	 * follows. */
	bool LearnAuthority(const FNetClockAuthority& Authority);

	/** Takes the boot of the server's machine, for what is kept of that server. */
	void LearnServerBoot(int64 Boot);

	/**
	 * Keeps for later sessions what the clock knows, if the settings say so: a minute after its connection
	 * began, or as soon as the rate is known, then every ten minutes. Call it in each frame. The end of the
	 * connection and of the game do the same.
	 */
	void RememberNowAndThen(int64 Now);

	/** Its game left that world of the server. What is shown of it, or of an older one, is late from now
	 * on. */
	void LeaveWorld(uint32 World) { LeftWorld = World; }
	bool HasLeftWorld(uint32 World) const { return LeftWorld != 0 && World <= LeftWorld; }

	/** True if the clock began with what earlier sessions learnt of this machine, or of this server. */
	bool KnewMachine() const;
	bool KnewServer() const;

	/** True if the clock is hidden: there is a new connection, and no reply has confirmed yet that the server
	 * is the same. */
	bool IsUnconfirmed() const { return bUnconfirmed && !bKeeps; }

	/** True if it is certain which server the clock follows: it is neither hidden nor kept. */
	bool IsSettled() const { return !bUnconfirmed && !bKeeps; }

	/** True once for each time that a reply confirmed it. */
	bool TakeConfirmed();

	/** A guest or a host ends: what uses it must let go of it. */
	FNetClockSessionEvent OnEnding;

	/** Another number for each guest and host. */
	int32 GetGeneration() const { return Generation; }

	/** A guest that follows nobody and reads blobs. Null without a library. */
	static TSharedPtr<netclock::guest> MakeReader();

private:
	void BeginClock();
	/** False if the rate is not known yet, or if nothing is to be kept. */
	bool Remember();
	void BeginConversation();
	/** The first answer of a connection came: of the host with this epoch, or of none. */
	void Confirm(int64 Arrived, int64 HostEpoch);

	/** Server: the served clock minus this machine's clock, in ticks. */
	int64 ServerOffset = 0;
	int64 ServerEpoch = 0;
	/** Server: the authority of the served clock, if it does not serve its own timescale, and when it was
	 * set. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	bool bAnswered = false;
	bool bAsking = false;
	bool bSaidFull = false;
	TWeakObjectPtr<const UWorld> ReliedOnIn;
	TSharedPtr<netclock::host> Host;
	/** By their numbers. Places of players who left are used again. */
	TArray<TWeakObjectPtr<UNetClockComponent>> Players;
	TArray<uint8> Blob;
	/** Server: reads its own blobs, for past times. */
	TSharedPtr<netclock::guest> History;

	TSharedPtr<netclock::guest> Guest;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	/** Of that connection, without a port: what a machine's servers have in common is its clock. */
	FString FollowedAddress;
	/** The epoch of the clock when the connection began. */
	int32 FollowedEpoch = 0;
	/** When a server first answered on this connection, in local ticks. */
	int64 OtherTicks = 0;
	TWeakObjectPtr<const UNetClockComponent> Asking;
	bool bHasAsked = false;
	/** When what is known was or will be kept next, in local ticks. */
	int64 RememberTicks = 0;
	int64 LearnedBoot = 0;
	bool bKeeps = false;
	bool bUnconfirmed = false;
	bool bConfirmed = false;
	bool bDecided = false;
	bool bFollowed = false;
	uint32 LeftWorld = 0;
	int32 Generation = 0;
};
