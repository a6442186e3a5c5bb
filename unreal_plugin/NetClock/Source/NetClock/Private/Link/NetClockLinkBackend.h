// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Base/NetClockOwner.h"
#include "CoreMinimal.h"
#include "Link/NetClockLinkTypes.h"

class FNetClockClient;
struct netclock_link;

/** One end of the library's link, with a socket and a thread of its own. Its end stops both. */
class FNetClockLinkEnd : public TNetClockOwner<netclock_link>
{
public:
	/**
	 * Server: answers at the first free port from First on. OffsetTicks is the served time minus this machine's clock. Null if
	 * there is no library, or no port: then Trouble says why.
	 */
	static TSharedPtr<FNetClockLinkEnd> Serve(int32 First, int32 Count, int64 Epoch, int64 OffsetTicks, FString& Trouble);

	/** Client: keeps a clock linked to a server at an IP address, as text. Null if there is no library, or Trouble says why. */
	static TSharedPtr<FNetClockLinkEnd> Connect(const TSharedPtr<FNetClockClient>& Client, const FString& Address, const FNetClockLinkOffer& Offer, FString& Trouble);

	FNetClockLinkEnd(netclock_link* InHandle, const TSharedPtr<FNetClockClient>& InClient, int32 InPort) : TNetClockOwner(InHandle), Client(InClient), Port(InPort) {}
	~FNetClockLinkEnd();

	/** The server's port. */
	int32 GetPort() const { return Port; }

	/** Server: answers the holder of this key from now on. False if there are too many. */
	bool Admit(const FNetClockLinkOffer& Key);

	/** Server: forgets a key. */
	void Revoke(int32 KeyId);

	/** Client: the clock that it keeps linked. */
	const TSharedPtr<FNetClockClient>& GetClient() const { return Client; }

	FNetClockLinkStatus Read() const;

private:
	/** The library's link uses it until it is stopped. */
	TSharedPtr<FNetClockClient> Client;
	int32 Port;
};

namespace NetClock
{
	/** True for an IP address of either version, as text without a port. Names, and what relayed sockets call an address, are none. */
	bool IsIpAddress(const FString& Text);
}
