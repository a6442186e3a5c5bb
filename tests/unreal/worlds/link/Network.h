// The link's simulated network, with a one-way delay of half a millisecond between machines. It replaces the
// sockets and threads of the plugin's links. All other code is the library's, as in a game.
#pragma once

#include <map>
#include <string>

#include "Double/Harness.h"

class FLinkNetwork
{
public:
	static FLinkNetwork& Get();

	/** Resets the network for the machines of a session. */
	void Begin();

	/** Delivers the datagrams that are due at the end of a frame of the machine with this address, unless its
	   network is blocked. */
	void Carry(const std::string& Address, bool bBlocked);

	/** Return the number of open links. */
	int32 CountServers() const;
	int32 CountClients() const;

	/** Lowest port that the system allows. */
	uint16 FirstAllowed = 0;

	// Implementations of the library's calls that open and close links.
	int32 Serve(const void* Config, uint16 Port, uint64 Epoch, void** Link);
	int32 Connect(
		const void* Config, void* Client, const std::string& Host, uint16 Port, const void* Key, void** Link);
	void Forget(const void* Link);
	/** Ends the process at this address and closes its sockets. */
	void EndProcess(const std::string& Address);

private:
	struct FEnd
	{
		void* Link = nullptr;
		FMachineClock Clock;
		/** Address of this machine and, for a client, of the server. */
		std::string Address, Host;
		uint16 Port = 0;
		/** Server: server time minus the clock of its machine, in ticks. */
		int64 OffsetTicks = 0;
		bool bServer = false;
	};
	std::map<uint64, FEnd> Ends;
	uint64 Created = 0;
};
