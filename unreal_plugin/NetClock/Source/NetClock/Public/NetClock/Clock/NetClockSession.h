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
 * Holds the library's end of the session, which persists longer than a world: a host on a server, and a guest
 * on a client. The guest's clock continues through travel as long as the server is the same. There is one
 * object per game instance, so games in one process (PIE) are separate.
 */
UCLASS()
class NETCLOCK_API UNetClockSession : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the session of the game that an object belongs to, or null. */
	static UNetClockSession* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	// Server.

	/** Returns the epoch, which identifies this run of the server's clock. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Converts this machine's clock to the served time. Both are in ticks of 100 ns. */
	int64 ServerTicks(int64 LocalTicks) const { return LocalTicks + ServerOffset; }

	/** Serves a timescale from now on, with a new epoch. OffsetTicks is the timescale minus this machine's
	 * clock. */
	void ServeTimescale(int64 Timescale, int64 OffsetTicks, double DispersionMs);

	/** Sets how far the served clock may differ from its timescale now, in ms. */
	void UpdateDispersion(double DispersionMs);

	/** Returns whose time is served, and how far it may differ from the timescale at present. */
	FNetClockAuthority GetServedAuthority() const;

	/** Returns true while the server has no time to serve yet, and therefore does not read players'
	 * messages. */
	bool IsAsking() const { return bAsking; }
	void SetAsking(bool bAsks) { bAsking = bAsks; }

	/** Broadcast at the start of a server frame, for the module that decides whose time is served. */
	FNetClockSessionEvent OnServing;

	/** Returns true if the server has replied to a client in this run of its clock. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** Sets the world in which the game relies on the served time. From then on, the time cannot be
	 * replaced. */
	void SetReliedOnIn(const UWorld* World) { ReliedOnIn = World; }
	bool IsReliedOnIn(const UWorld* World) const { return World && ReliedOnIn == World; }

	/** Returns the library's host. The first call creates it. Null while the server has no time to serve, or
	 * if there is no library. */
	netclock::host* GetHost();

	/** Returns the player who has this number at the host, or null. */
	UNetClockComponent* GetPlayer(uint64 Number) const;

	/** Returns a player's number at the host, or -1 until a message of the player arrives. */
	int32 NumberOf(const UNetClockComponent& Player) const;

	/** Handles a player's datagram, which was read after PolledTicks. Returns false if it was rejected. */
	bool ReceiveFromPlayer(
		UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Removes a player who has left. */
	void Dismiss(const UNetClockComponent& Player);

	/** Stores the host's blob, at the end of a frame in which its worlds were observed. */
	void KeepBlob();

	/** Returns the latest segments of the world's clocks, for replays. */
	const TArray<uint8>& GetBlob() const { return Blob; }

	/** Returns the guest that holds the past times of the server's own worlds. May be null. */
	const netclock::guest* GetHistory() const { return History.Get(); }
	FNetClockSessionEvent OnBlobChanged;

	// Client.

	/** Returns the library's guest. Null before the first connection, or if there is no library. */
	netclock::guest* GetGuest() const { return Guest.Get(); }

	/**
	 * Follows the server of a connection. Returns true if it followed a different connection before. A new
	 * connection may lead to another server, so the clock is hidden until the first reply. If the reply has
	 * the same epoch, the clock continues with its state.
	 */
	bool FollowConnection(UNetConnection* Connection);

	/** Sets the component that sends the guest's datagrams from now on. */
	void SetAsking(const UNetClockComponent* Component);

	/** Handles a datagram from the server, which was read after PolledTicks. Returns false if it was
	 * rejected. */
	bool ReceiveFromServer(const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Handles the first reply on a connection, from the host with this epoch. Does nothing if the server is
	 * confirmed, or if the epoch is zero, which means that there is no host yet. */
	void Confirm(int64 Arrived, int64 HostEpoch);

	/** Continues to show the clock until the next server's time is known. Returns false if the clock is not
	 * synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** Broadcast when it is decided whether the new server continues the kept time. */
	FNetClockDecides OnDecided;

	/** Returns true once per decision. */
	bool TakeDecision(bool& bFollows);

	/** Finds whose time the clock shows. Returns false until it is synced. */
	bool GetFollowedAuthority(FNetClockAuthority& Authority) const;

	/** Returns the clock's reading at a local time. Unsynced if there is no guest. */
	FNetClockStatus ReadClient(int64 Now) const;

	/** Sets a server's authority. Returns false if that server serves a timescale other than the followed
	 * one. */
	bool LearnAuthority(const FNetClockAuthority& Authority);

	/** Sets the boot id of the server's machine, which is stored with that server's state. */
	void LearnServerBoot(int64 Boot);

	/**
	 * Stores the clock's state for later sessions, if the settings allow it: a minute after the connection
	 * was created, or as soon as the rate is known, and then every ten minutes. Call it in each frame. It is
	 * also stored when the connection or the game ends.
	 */
	void RememberNowAndThen(int64 Now);

	/** Returns whether this machine's clock may have stopped since the previous call, while UTC advanced.
	 * Call it in each frame. */
	bool MayHaveMissedTime(int64 Now);

	/** Records that the game left one of the server's worlds. From now on, the guest's view of that world and
	 * of older ones is outdated. */
	void LeaveWorld(uint32 World) { LeftWorld = World; }
	bool HasLeftWorld(uint32 World) const { return LeftWorld != 0 && World <= LeftWorld; }

	/** Returns true if the clock started with the stored state of this machine, or of this server. */
	bool KnewMachine() const;
	bool KnewServer() const;

	/** Returns true if the clock is hidden: the connection is new, and no reply has confirmed yet that the
	 * server is the same. */
	bool IsUnconfirmed() const { return bUnconfirmed && !bKeeps; }

	/** Returns true if the followed server is confirmed: the clock is neither hidden nor kept. */
	bool IsSettled() const { return !bUnconfirmed && !bKeeps; }

	/** Returns true once each time a reply confirms the server. */
	bool TakeConfirmed();

	/** Broadcast before a guest or a host is destroyed, for objects that reference it. */
	FNetClockSessionEvent OnEnding;

	/** Returns a number that changes with each new guest and host. */
	int32 GetGeneration() const { return Generation; }

	/** Creates a guest that follows no server and reads blobs. Null without a library. */
	static TSharedPtr<netclock::guest> MakeReader();

private:
	void StartClock();
	/** Returns false if the rate is not known yet, or if nothing may be stored. */
	bool Remember();
	void StartSession();
	/** Ends the guest and the host, and everything that references them. */
	void EndAll();

	/** Server: the served clock minus this machine's clock, in ticks. */
	int64 ServerOffset = 0;
	int64 ServerEpoch = 0;
	/** Server: the authority of the served clock, and when it was set, if the server serves a timescale other
	 * than its own. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	bool bAnswered = false;
	bool bAsking = false;
	bool bLoggedFull = false;
	TWeakObjectPtr<const UWorld> ReliedOnIn;
	TSharedPtr<netclock::host> Host;
	/** The players, indexed by player number. When a player leaves, its number is reused. */
	TArray<TWeakObjectPtr<UNetClockComponent>> Players;
	TArray<uint8> Blob;
	/** Server: reads its own blobs, for past times. */
	TSharedPtr<netclock::guest> History;

	TSharedPtr<netclock::guest> Guest;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	/** The address of that connection without a port, because all servers on a machine share its clock. */
	FString FollowedAddress;
	/** The epoch of the clock when the connection was created. */
	int32 FollowedEpoch = 0;
	/** When a server first replied on this connection, in local ticks. */
	int64 OtherTicks = 0;
	TWeakObjectPtr<const UNetClockComponent> Asking;
	bool bHasAsked = false;
	/** When the state will next be stored, in local ticks. */
	int64 RememberTicks = 0;
	int64 LearnedBoot = 0;
	/** UTC minus this machine's clock in the previous frame, in ticks. Zero before the first frame. It is
	 * kept here because a phone may wake up in a different world. */
	int64 CalendarAheadTicks = 0;
	bool bKeeps = false;
	bool bUnconfirmed = false;
	bool bConfirmed = false;
	bool bDecided = false;
	bool bFollowed = false;
	uint32 LeftWorld = 0;
	int32 Generation = 0;
};
