// The link's network, half a millisecond each way, instead of sockets and threads. Everything else is the
// library's code.
#pragma once

#include <map>
#include <string>

#include "Double/Harness.h"

class FLinkNetwork
{
public:
	static FLinkNetwork& Get();

	void Begin();

	/** Delivers due datagrams at the end of a machine's frame, unless the machine's network is blocked. */
	void Carry(const std::string& Address, bool bBlocked);

	int32 CountServers() const;
	int32 CountClients() const;

	/** The system only allows ports from this number upwards. */
	uint16 FirstAllowed = 0;

	// These functions replace the library's calls that open and close links.
	int32 Serve(const void* Config, uint16 Port, uint64 Epoch, void** Link);
	int32 Connect(
		const void* Config, void* Client, const std::string& Host, uint16 Port, const void* Key, void** Link);
	void Forget(const void* Link);
	void EndProcess(const std::string& Address);

private:
	struct FEnd
	{
		void* Link = nullptr;
		FMachineClock Clock;
		/** The addresses of this machine and, on a client, of the server. */
		std::string Address, Host;
		uint16 Port = 0;
		/** On a server, server time minus its machine's clock, in ticks. */
		int64 OffsetTicks = 0;
		bool bServer = false;
	};
	std::map<uint64, FEnd> Ends;
	uint64 Created = 0;
};
