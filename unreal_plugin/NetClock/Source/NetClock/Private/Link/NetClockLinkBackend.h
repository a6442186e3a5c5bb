// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "NetClock/Link/NetClockLink.h"

class FNetClockClient;
struct netclock_link_client;
struct netclock_link_server;

/** The server's end of the library's link, with a socket and a thread of its own. Its end stops both. */
class FNetClockLinkServer : public TNetClockOwner<netclock_link_server>
{
public:
	/**
	 * Answers at the first free port from First on. OffsetTicks is the served time minus this machine's
	 * clock. Null if there is no library, or no port: then Trouble says why.
	 */
	static TSharedPtr<FNetClockLinkServer> Open(
		int32 First, int32 Count, int64 Epoch, int64 OffsetTicks, FString& Trouble);

	FNetClockLinkServer(netclock_link_server* InHandle, FEnd InEnd, int32 InPort) :
		TNetClockOwner(InHandle, InEnd), Port(InPort)
	{
	}

	int32 GetPort() const { return Port; }

	/** Answers the holder of this key from now on. False if there are too many. */
	bool Admit(const FNetClockLinkOffer& Key);

	/** Forgets a key. */
	void Revoke(int32 KeyId);

	FNetClockLinkStatus Read() const;

private:
	int32 Port;
};

/** A client's end of the library's link, with a socket and a thread of its own. Its end stops both. */
class FNetClockLinkClient : public TNetClockOwner<netclock_link_client>
{
public:
	/** Keeps a clock linked to a server at an IP address, as text. Null if there is no library, or Trouble
	 * says why. */
	static TSharedPtr<FNetClockLinkClient> Open(const TSharedPtr<FNetClockClient>& InClient,
		const FString& Address, const FNetClockLinkOffer& Offer, FString& Trouble);

	FNetClockLinkClient(
		netclock_link_client* InHandle, FEnd InEnd, const TSharedPtr<FNetClockClient>& InClient) :
		TNetClockOwner(InHandle, InEnd), Client(InClient)
	{
	}
	// Before the clock, which it uses.
	~FNetClockLinkClient() { Destroy(); }

	/** The clock that it keeps linked. */
	const TSharedPtr<FNetClockClient>& GetClient() const { return Client; }

	FNetClockLinkStatus Read() const;

private:
	/** The library's link uses it until it is destroyed. */
	TSharedPtr<FNetClockClient> Client;
};

namespace NetClock
{
	/** True for an IP address of either version, as text without a port. Names, and what relayed sockets call
	 * an address, are none. */
	bool IsIpAddress(const FString& Text);
}
