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

/** Whether the link works. */
UENUM(BlueprintType)
enum class ENetClockLinkState : uint8
{
	/** There is none: no port is set, this is no network game, or the NetClock library is missing. */
	Off,
	/** Client: its first requests are not answered yet. */
	Checking,
	/** Client: requests are answered. */
	Linked,
	/** Client: UDP does not pass. The clock uses the game's messages. A link that worked asks
	 * twice a second until it is answered; another one tries again every 30 s. */
	Blocked,
	/** Client: the connection to the server has no IP address, as with relayed sockets. The clock uses the
	 * game's messages. */
	NotPossible,
	/** Server: it answers at its port. */
	Serving,
	/** Server: no port of the range could be opened. The log says why. */
	NoPort
};

/** Where the stamps come from by which the clock is set. */
UENUM(BlueprintType)
enum class ENetClockStamps : uint8
{
	/** From the frames in which the game's messages are read. */
	Frames,
	/** From the link's thread, as soon as it wakes up. */
	Thread,
	/** From the system's kernel, when a datagram arrives. */
	Kernel
};

/** Everything about the link of this machine. */
USTRUCT(BlueprintType)
struct NETCLOCKLINK_API FNetClockLinkStatus
{
	GENERATED_BODY()

	/** Whether it works. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockLinkState State = ENetClockLinkState::Off;

	/** Where its stamps come from. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockStamps Stamps = ENetClockStamps::Frames;

	/** UDP port of the server. Zero if there is no link. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Port = 0;

	/** Client: the number of its requests. Server: the number of requests that it answered. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Requests = 0;

	/** Client: the number of replies that the clock used. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Replies = 0;

	/** The number of datagrams that were dropped, because they are from nobody who has a key. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Foreign = 0;
};

/**
 * The link: datagrams of NetClock's own beside the game's connection, on a thread of its own, so that no
 * frame holds them. The clock is then as good as the network, at any frame rate. It is off until LinkPort is
 * set in the settings of the server.
 *
 * The server opens a UDP port, and gives port and key to each player over the game's connection. The player's
 * machine sends to the address to which it is connected. If that has no IP address, or UDP does not pass, the
 * game's messages carry the exchange as without a link. While the link is good, they are few. There is one
 * link for each game instance.
 */
UCLASS()
class NETCLOCKLINK_API UNetClockLink : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The link of the game that an object belongs to, or null. */
	static UNetClockLink* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Whether the link works, where its stamps come from, and what it counted. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Link",
		meta = (Keywords = "udp port firewall link clock stamps"))
	FNetClockLinkStatus GetLinkStatus() const;

	/** True on a client whose requests by the link are answered. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Link", meta = (Keywords = "udp port firewall link clock"))
	bool IsLinked() const { return Client.IsValid() && State == ENetClockLinkState::Linked; }

private:
	/** A player and the key that it has. */
	struct FAdmitted
	{
		TWeakObjectPtr<UNetClockComponent> Player;
		uint32 KeyId = 0;
	};

	void OnFrameEnding(UWorld* World);
	void OnReporting(const UWorld* World, TArray<FString>& Lines);
	void OnEnding(UNetClockSession&);
	/** Client: uses what the server offers, as soon as it is certain which server this is. */
	void Follow(UNetConnection* Connection);
	void OpenClient(netclock::guest& Guest, const netclock::link_offer& Offer, const FString& Address);
	void CloseClient();
	void Observe();
	/** Server: opens the port if one is set, gives keys to players, and forgets those of players who left. */
	void Serve(const UWorld& World);
	void OpenServer(int64 OffsetTicks);
	void Close();
	UNetClockSession* GetSession() const;

	TSharedPtr<netclock::link_client> Client;
	ENetClockLinkState State = ENetClockLinkState::Off;
	int32 UsedPort = 0;
	uint32 UsedKey = 0;
	TWeakObjectPtr<UNetConnection> UsedConnection;
	bool bSaidLinked = false;
	bool bSaidBlocked = false;
	bool bListens = false;

	TSharedPtr<netclock::link_server> Server;
	/** The run of the server's clock for which a port was opened, or could not be. */
	int64 ServedEpoch = 0;
	int32 Port = 0;
	uint32 Keys = 0;
	TArray<FAdmitted> Admitted;
	FDelegateHandle FrameEndingHandle;
	FDelegateHandle ReportingHandle;
};

namespace NetClock
{
	/** True for an IP address of either version, as text without a port. Names, and what relayed sockets call
	 * an address, are none. */
	NETCLOCKLINK_API bool IsIpAddress(const FString& Text);
}
