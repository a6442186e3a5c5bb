// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include <utility>
#include "NetClock/Clock/NetClockTypes.h"
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
	struct guest_config;
	struct host_config;
}

DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockSessionEvent, UNetClockSession&);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockDecides, bool /*bFollows*/);

/** The outcome of the first reply on a new connection. Confirmed means that the server is the same as before.
 * Followed means that it continues the kept time, and Other that its time differs from the kept time. */
enum class ENetClockDecision : uint8 { None, Confirmed, Followed, Other };

/** Owns the library's host on a server and its guest on a client. Both persist through travel. There is one
 * object per game instance, so games in the same process (PIE) are separate. */
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

	/** Returns the epoch of the server's clock, which changes when the clock restarts. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Converts this machine's clock to the served time. Both are in ticks of 100 ns. */
	int64 ServerTicks(int64 LocalTicks) const { return LocalTicks + ServerOffset; }

	/** Serves this machine's clock plus OffsetTicks, with a new epoch. */
	void ServeOffset(int64 OffsetTicks);

	/** Broadcast at the start of a server frame, for the module that decides whose time is served. */
	FNetClockSessionEvent OnServing;

	/** Returns true if the server has replied to a client since its clock started. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** Sets the world in which the game relies on the served time, which cannot be replaced afterwards. */
	void SetReliedOnIn(const UWorld* World) { ReliedOnIn = World; }
	bool IsReliedOnIn(const UWorld* World) const { return World && ReliedOnIn == World; }

	/** Returns the library's host, creating it in the first call. Null without the library, or while the
	 * server has no time to serve. */
	netclock::host* GetHost();

	/** Returns the player with this number, or null. */
	UNetClockComponent* GetPlayer(uint64 Number) const;

	/** Returns a player's number at the host, or -1 if no message from the player has arrived yet. */
	int32 NumberOf(const UNetClockComponent& Player) const;

	/** Handles a player's datagram, which was read after PolledTicks. Returns false if it was rejected. */
	bool ReceiveFromPlayer(
		UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Removes a player who has left. */
	void Dismiss(const UNetClockComponent& Player);

	/** Returns the latest segments of the world's clocks, for replays. Call it after the worlds have been
	 * observed. */
	const TArray<uint8>& TakeBlob();

	/** Returns the guest that holds the past times of the server's own worlds. May be null. */
	const netclock::guest* GetHistory() const { return History.Get(); }

	// Client.

	/** Returns the library's guest. Null before the first connection, or if there is no library. */
	netclock::guest* GetGuest() const { return Guest.Get(); }

	/** Follows the server of a connection. Returns true if it followed a different connection before. Since
	 * the server may have changed, the clock is hidden until the first reply. If the reply has the same
	 * epoch, the clock continues. */
	bool FollowConnection(UNetConnection* Connection);

	/** Sets the component that sends the guest's datagrams. */
	void SetAsking(const UNetClockComponent* Component);

	/** Handles a datagram from the server, which was read after PolledTicks. Returns false if it was
	 * rejected. */
	bool ReceiveFromServer(const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Handles the first reply on a connection, from the host with this epoch. Does nothing if the server is
	 * already confirmed, or if the epoch is zero because there is no host yet. */
	void Confirm(int64 Arrived, int64 HostEpoch);

	/** Keeps showing the clock until the next server's time is known. Returns false if the clock is not
	 * synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** Broadcast once it is known whether the new server continues the kept time. */
	FNetClockDecides OnDecided;

	/** Returns each decision once. */
	ENetClockDecision TakeDecision() { return std::exchange(Decision, ENetClockDecision::None); }

	/** Returns the clock's reading at a local time. Unsynced if there is no guest. */
	FNetClockStatus ReadClient(int64 Now) const;

	/** Sets the boot id of the server's machine, which is stored with that server's state. */
	void LearnServerBoot(int64 Boot);

	/** Stores the clock's state for later sessions, if the settings allow it. This happens a minute after
	 * connecting, or once the rate is known if that is later, then every ten minutes, and when the connection
	 * or the game ends. Call it in each frame. */
	void RememberNowAndThen(int64 Now);

	/** Returns true if this machine's clock may have stopped since the previous call while UTC advanced. Call
	 * it in each frame. */
	bool MayHaveMissedTime(int64 Now);

	/** Records that the game left one of the server's worlds. The guest's data about that world and older
	 * worlds is outdated afterwards. */
	void LeaveWorld(uint32 World) { LeftWorld = World; }
	bool HasLeftWorld(uint32 World) const { return LeftWorld != 0 && World <= LeftWorld; }

	/** Returns true if the clock is hidden because no reply on a new connection has confirmed yet that the
	 * server is the same. */
	bool IsUnconfirmed() const { return bUnconfirmed && !bKeeps; }

	/** Returns true if the followed server is confirmed, so the clock is neither hidden nor kept. */
	bool IsSettled() const { return !bUnconfirmed && !bKeeps; }

	/** Broadcast before a guest or a host is destroyed, for objects that reference it. */
	FNetClockSessionEvent OnEnding;

	/** Lets another module configure a new guest or host. The unused pointer is null. */
	using FConfigurer = void (*)(netclock::guest_config*, netclock::host_config*);
	static FConfigurer Configurer;

	/** Returns a number that changes with each new guest and host. */
	int32 GetGeneration() const { return Generation; }

	/** Creates a guest that reads blobs and does not follow a server. Null without a library. */
	static TSharedPtr<netclock::guest> MakeReader();

private:
	void StartClock();
	void StartSession();
	/** Returns a player's number at the host, admitting the player if necessary. -1 if the host is full. */
	int32 Admit(UNetClockComponent& Player);
	/** Returns false if the rate is not known yet, or if nothing may be stored. */
	bool Remember();
	/** Destroys the guest and the host, and everything that references them. */
	void EndAll();

	/** Server: the served clock minus this machine's clock, in ticks. */
	int64 ServerOffset = 0;
	int64 ServerEpoch = 0;
	bool bAnswered = false;
	bool bLoggedFull = false;
	TWeakObjectPtr<const UWorld> ReliedOnIn;
	TSharedPtr<netclock::host> Host;
	/** The players, indexed by player number. When a player leaves, its number is reused. */
	TArray<TWeakObjectPtr<UNetClockComponent>> Players;
	TArray<uint8> Blob;
	/** Server: reads the server's own blobs, for past times. */
	TSharedPtr<netclock::guest> History;

	TSharedPtr<netclock::guest> Guest;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	/** The address of that connection without a port, because all servers on a machine share its clock. */
	FString FollowedAddress;
	/** The epoch of the clock when the connection was created. */
	int32 FollowedEpoch = 0;
	/** The time at which a server first replied on this connection, in local ticks. */
	int64 OtherTicks = 0;
	TWeakObjectPtr<const UNetClockComponent> Asking;
	bool bHasAsked = false;
	/** The time at which the state will be stored next, in local ticks. */
	int64 RememberTicks = 0;
	int64 LearnedBoot = 0;
	/** UTC minus this machine's clock in the previous frame, in ticks. Zero before the first frame. It is
	 * stored here because a phone may wake up in a different world. */
	int64 CalendarAheadTicks = 0;
	bool bKeeps = false;
	bool bUnconfirmed = false;
	ENetClockDecision Decision = ENetClockDecision::None;
	uint32 LeftWorld = 0;
	int32 Generation = 0;
};
