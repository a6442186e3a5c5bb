// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockLink.generated.h"

class UNetClockComponent;
class UNetClockSession;
class UNetConnection;
class UWorld;

namespace netclock
{
	class guest;
	class link_client;
	class link_server;
	struct link_offer;
}

/** The state of the link. */
UENUM(BlueprintType)
enum class ENetClockLinkState : uint8
{
	/** There is no link because no port is set, the game is not networked, or the NetClock library is
	 * missing. */
	Off,
	/** Client: the server has not replied yet. */
	Checking,
	/** Client: the server is replying. */
	Linked,
	/** Client: UDP datagrams do not get through, so the clock uses the game's messages. If the link has
	 * worked before, it sends two requests per second until the server replies. Otherwise, the link retries
	 * every 30 s. */
	Blocked,
	/** Client: the server does not have an IP address, for example because its sockets are relayed. In this
	 * case, the clock uses the game's messages. */
	NotPossible,
	/** Server: the port is open. */
	Serving,
	/** Server: no port in the range could be opened. The log contains the reason. */
	NoPort
};

/** Where the clock's timestamps are taken. */
UENUM(BlueprintType)
enum class ENetClockStamps : uint8
{
	/** In a game frame, when the frame reads the game's messages. */
	Frames,
	/** On the link's thread, when it wakes up. */
	Thread,
	/** In the operating system's kernel, when a datagram arrives. */
	Kernel
};

/** The status of this machine's link. */
USTRUCT(BlueprintType)
struct NETCLOCKLINK_API FNetClockLinkStatus
{
	GENERATED_BODY()

	/** The state of the link. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockLinkState State = ENetClockLinkState::Off;

	/** Where timestamps are taken. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStamps Stamps = ENetClockStamps::Frames;

	/** The server's UDP port, or zero if there is no link. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Port = 0;

	/** The number of requests that the client has sent or the server has answered. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Requests = 0;

	/** Client: the number of replies that the clock has used. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Replies = 0;

	/** The number of datagrams dropped because they were not sealed with a valid key. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Foreign = 0;
};

/**
 * The link exchanges its own UDP datagrams on a separate thread, so they do not have to wait for frames. The
 * clock's accuracy then depends only on the network and not on the frame rate. To enable the link, set
 * LinkPort in the server's settings.
 *
 * The server opens a UDP port and sends the port and a key to each player over the game's connection. The
 * player's machine sends its datagrams to the address of that connection. If that address is not an IP
 * address, or UDP datagrams do not get through, NetClock uses the game's messages. While the link works,
 * NetClock sends few game messages. There is one link per game instance.
 */
UCLASS()
class NETCLOCKLINK_API UNetClockLink : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the link of the object's game instance, or null. */
	static UNetClockLink* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Returns the link's state, the source of its timestamps, and its counters. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Link",
		meta = (Keywords = "udp port firewall link clock stamps"))
	FNetClockLinkStatus GetLinkStatus() const;

private:
	/** A player, and the id of the key that the player uses. */
	struct FAdmitted
	{
		TWeakObjectPtr<UNetClockComponent> Player;
		uint32 KeyId = 0;
	};

	void OnFrameEnding(UWorld* World);
	void OnReporting(const UWorld* World, TArray<FString>& Lines);
	void OnEnding(UNetClockSession&);
	/** Client: accepts the server's offer once the server is confirmed. */
	void Follow(UNetConnection* Connection);
	void OpenClient(netclock::guest& Guest, const netclock::link_offer& Offer, const FString& Address);
	void CloseClient();
	void Observe();
	/** Server: opens the port if one is set, sends keys to players, and deletes the keys of players who have
	 * left. */
	void Serve(const UWorld& World);
	void OpenServer(int64 OffsetTicks);
	void Close();
	UNetClockSession* GetSession() const;

	TSharedPtr<netclock::link_client> Client;
	ENetClockLinkState State = ENetClockLinkState::Off;
	int32 UsedPort = 0;
	uint32 UsedKey = 0;
	TWeakObjectPtr<UNetConnection> UsedConnection;
	bool bLoggedLinked = false;
	bool bLoggedBlocked = false;
	bool bListens = false;

	TSharedPtr<netclock::link_server> Server;
	/** The epoch during which the server last tried to open a port. */
	int64 ServedEpoch = 0;
	int32 Port = 0;
	uint32 Keys = 0;
	TArray<FAdmitted> Admitted;
	FDelegateHandle FrameEndingHandle;
	FDelegateHandle ReportingHandle;
};

namespace NetClock
{
	/** Returns true if the text has the form of an IPv4 or IPv6 address without a port. The library checks
	 * the numbers. Returns false for host names and for the addresses of relayed sockets. */
	NETCLOCKLINK_API bool IsIpAddress(const FString& Text);
}
