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

/** What the client has learned about the server from the first reply on a new connection. Confirmed means
 * that it is the same server as before. Followed means that the new server continues the kept time. Other
 * means that the new server's time differs from the kept time. */
enum class ENetClockDecision : uint8 { None, Confirmed, Followed, Other };

/** Owns the library's host on a server, or its guest on a client. Both survive travel. There is one session
 * per game instance, so games that share a process (PIE) are independent. */
UCLASS()
class NETCLOCK_API UNetClockSession : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the session of the object's game instance, or null. */
	static UNetClockSession* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	// Server.

	/** Returns the epoch of the server's clock. It changes when the clock restarts and is never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Converts a reading of this machine's clock to the time being served, both in ticks of 100 ns. */
	int64 ServerTicks(int64 Local) const { return Local + ServerOffset; }

	/** Starts serving this machine's clock plus OffsetTicks, under a new epoch. */
	void ServeOffset(int64 OffsetTicks);

	/** Broadcast at the start of each server frame, so that another module can decide which time to serve. */
	FNetClockSessionEvent OnServing;

	/** Returns true if the server has replied to a client since its clock started. */
	bool HasAnswered() const { return bAnswered; }
	void SetAnswered() { bAnswered = true; }

	/** Records that the game in this world relies on the served time, so the served time can no longer be
	 * replaced. */
	void SetReliedOnIn(const UWorld* World) { ReliedOnIn = World; }
	bool IsReliedOnIn(const UWorld* World) const { return World && ReliedOnIn == World; }

	/** Returns the library's host, creating it on the first call. Returns null if the library is missing or
	 * the server does not have a time to serve yet. */
	netclock::host* GetHost();

	/** Returns the player with this number, or null. */
	UNetClockComponent* GetPlayer(uint64 Number) const;

	/** Returns the player's number on the host, or -1 if no message from that player has arrived yet. */
	int32 NumberOf(const UNetClockComponent& Player) const;

	/** Handles a player's datagram, which was read after PolledTicks. Returns false if the host rejects
	 * it. */
	bool ReceiveFromPlayer(
		UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Removes a player who has left. */
	void Dismiss(const UNetClockComponent& Player);

	/** Returns the latest segments of the world's clocks, for replays. Call this after the clocks have been
	 * observed in this frame. */
	const TArray<uint8>& TakeBlob();

	/** Returns the guest that stores the history of the server's own world times. May be null. */
	const netclock::guest* GetHistory() const { return History.Get(); }

	// Client.

	/** Returns the library's guest, or null before the first connection or if the library is missing.
	 * */
	netclock::guest* GetGuest() const { return Guest.Get(); }

	/** Starts following the server at the other end of a connection. Returns true if a different connection
	 * was followed before. This may be a different server, so the clock is hidden until the first reply. The
	 * clock continues if that reply has the same epoch as before. */
	bool FollowConnection(UNetConnection* Connection);

	/** Sets the component that sends the guest's datagrams. */
	void SetAsking(const UNetClockComponent* Component);

	/** Handles a datagram from the server, which was read after PolledTicks. Returns false if the guest
	 * rejects it. */
	bool ReceiveFromServer(const TArray<uint8>& Bytes, int64 Arrived, int64 PolledTicks);

	/** Handles the first reply on a connection. HostEpoch identifies the host that sent it, and is zero if
	 * the server has no host yet. Does nothing if HostEpoch is zero or the server is already confirmed. */
	void Confirm(int64 Arrived, int64 HostEpoch);

	/** Keeps displaying the clock until the next server's time is known. Returns false if the clock is not
	 * synced. */
	bool KeepTime();
	bool KeepsTime() const { return bKeeps; }
	void EndKeeping() { bKeeps = false; }

	/** Broadcast once it is known whether the new server continues the kept time. */
	FNetClockDecides OnDecided;

	/** Returns the latest decision and resets it to None. */
	ENetClockDecision TakeDecision() { return std::exchange(Decision, ENetClockDecision::None); }

	/** Returns the clock's reading at a local time. The reading is unsynced if there is no guest. */
	FNetClockStatus ReadClient(int64 Now) const;

	/** Sets the boot id of the server's machine, which is stored with that server's state. */
	void LearnServerBoot(int64 Boot);

	/** Saves the clock's state for later sessions if the settings allow it. The state is first saved a minute
	 * after connecting or once the rate is known, whichever is later. After that, it is saved every ten
	 * minutes and when the connection or the game ends. Call this in every frame. */
	void RememberNowAndThen(int64 Now);

	/** Returns true if this machine's clock may have stopped since the last call while UTC kept advancing.
	 * Call this once per frame. */
	bool MayHaveMissedTime(int64 Now);

	/** Records that the game has left one of the server's worlds, so the guest's data about that world and
	 * earlier ones is out of date. */
	void LeaveWorld(uint32 World) { LeftWorld = World; }
	bool HasLeftWorld(uint32 World) const { return LeftWorld != 0 && World <= LeftWorld; }

	/** Returns true while the clock is hidden because no reply has confirmed yet that the new connection
	 * leads to the same server. */
	bool IsUnconfirmed() const { return bUnconfirmed && !bKeeps; }

	/** Returns true if the server is confirmed, so that the clock is neither hidden nor kept. */
	bool IsSettled() const { return !bUnconfirmed && !bKeeps; }

	/** Broadcast before a guest or host is destroyed, so that other objects can drop references to it. */
	FNetClockSessionEvent OnEnding;

	/** Another module can set this function to configure each new guest and host. One of the two arguments is
	 * always null. */
	using FConfigurer = void (*)(netclock::guest_config*, netclock::host_config*);
	static FConfigurer Configurer;

	/** Returns a number that changes whenever a guest or host is created. */
	int32 GetGeneration() const { return Generation; }

	/** Creates a guest that only reads blobs and does not follow a server. Returns null if the library is
	 * missing. */
	static TSharedPtr<netclock::guest> MakeReader();

private:
	void StartClock();
	void StartSession();
	/** Admits a player if necessary. Returns the player's number on the host, or -1 if the host is full. */
	int32 Admit(UNetClockComponent& Player);
	/** Returns false if the rate is not known yet or saving is not allowed. */
	bool Remember();
	void EndAll();

	/** Server: the served time minus this machine's clock, in ticks. */
	int64 ServerOffset = 0;
	int64 ServerEpoch = 0;
	bool bAnswered = false;
	bool bLoggedFull = false;
	TWeakObjectPtr<const UWorld> ReliedOnIn;
	TSharedPtr<netclock::host> Host;
	/** The players, indexed by player number. When a player leaves, the number can be reused. */
	TArray<TWeakObjectPtr<UNetClockComponent>> Players;
	TArray<uint8> Blob;
	/** Server: a guest that reads the server's own blobs, so that we can look up past times. */
	TSharedPtr<netclock::guest> History;

	TSharedPtr<netclock::guest> Guest;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	/** The connection's address without the port, because all servers on a machine share the same clock. */
	FString FollowedAddress;
	/** The clock's epoch when this client started to follow the connection. */
	int32 FollowedEpoch = 0;
	/** When a server first replied on this connection, in local ticks. */
	int64 OtherTicks = 0;
	TWeakObjectPtr<const UNetClockComponent> Asking;
	bool bHasAsked = false;
	/** When to save the state next, in local ticks. */
	int64 RememberTicks = 0;
	int64 LearnedBoot = 0;
	/** UTC minus this machine's clock in the previous frame, in ticks, or zero before the first frame. The
	 * session stores this value because a phone may wake up in a different world. */
	int64 CalendarAheadTicks = 0;
	bool bKeeps = false;
	bool bUnconfirmed = false;
	ENetClockDecision Decision = ENetClockDecision::None;
	uint32 LeftWorld = 0;
	int32 Generation = 0;
};
