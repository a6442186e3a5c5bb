// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Link/NetClockLinkTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockLink.generated.h"

class FNetClockLinkClient;
class FNetClockLinkServer;
class UNetConnection;

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
class NETCLOCK_API UNetClockLink : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The link of the game that an object belongs to, or null. */
	static UNetClockLink* Of(const UObject* WorldContextObject);

	virtual void Deinitialize() override;

	/** Whether the link works, where its stamps come from, and what it counted. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Link", meta = (Keywords = "udp port firewall link clock stamps"))
	FNetClockLinkStatus GetLinkStatus() const;

	/** True on a client whose requests by the link are answered. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Link", meta = (Keywords = "udp port firewall link clock"))
	bool IsLinked() const { return Client.IsValid() && State == ENetClockLinkState::Linked; }

	/** Client, each frame: uses what the server offers, as soon as it is certain which server this is. */
	void Follow(const FNetClockLinkOffer& Offer, UNetConnection* Connection);

	/** Server, each frame: opens the port if one is set, and forgets the keys of players who left. */
	void Serve();

	/** Server: what to offer a player, known by any object that leaves with it. The same again as long as it
	 * is good. */
	FNetClockLinkOffer OfferTo(UObject& Player, const FNetClockLinkOffer& Before);

	/** Ends both ends: this is no network game any more. */
	void Close();

private:
	/** A player and the key that it has. */
	struct FAdmitted
	{
		TWeakObjectPtr<UObject> Player;
		int32 KeyId = 0;
	};

	void CloseClient();
	void OpenClient(const FNetClockLinkOffer& Offer, UNetConnection* Connection);
	void Observe();

	TSharedPtr<FNetClockLinkClient> Client;
	ENetClockLinkState State = ENetClockLinkState::Off;
	FNetClockLinkOffer Used;
	TWeakObjectPtr<UNetConnection> UsedConnection;
	bool bSaidLinked = false;
	bool bSaidBlocked = false;

	TSharedPtr<FNetClockLinkServer> Server;
	/** The run of the server's clock for which a port was opened, or could not be. */
	int64 ServedEpoch = 0;
	int32 Port = 0;
	int32 Keys = 0;
	TArray<FAdmitted> Admitted;
};
