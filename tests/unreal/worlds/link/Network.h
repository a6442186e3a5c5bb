// Replaces the link's sockets and threads with a simulated network whose delay is half a millisecond each
// way. Everything else is the library's code.
#pragma once

#include <map>
#include <string>

#include "Double/Harness.h"

struct FLinkNetwork
{
	static FLinkNetwork& Get() { return FDouble::Only<FLinkNetwork>(); }

	/** Delivers all due datagrams at the end of a machine's frame unless its network is blocked. */
	void Carry(const std::string& Address, bool bBlocked);

	void EndProcess(const std::string& Address);
	int32 CountServers() const;
	int32 CountClients() const { return static_cast<int32>(Ends.size()) - CountServers(); }

	/** The lowest port that the system allows. */
	uint16 FirstAllowed = 0;

	struct FEnd
	{
		void* Link = nullptr;
		FMachineClock Clock;
		/** The addresses of this machine and, on a client, of the server. */
		std::string Address, Host;
		uint16 Port = 0;
		/** On a server, the server time minus the machine's clock (ticks). */
		int64 OffsetTicks = 0;
		bool bServer = false;
	};
	std::map<uint64, FEnd> Ends;
	uint64 Created = 0;
};
