// A project that sets the link's port.
#pragma once

#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Link/NetClockLink.h"
#include "NetClockCLibrary.h"
#include "Network.h"
#include "Scenarios.h"

/** Sets the link's settings in the ini, as long as this object lives. */
struct FLinkProject
{
	explicit FLinkProject(const std::string& More = "")
	{
		FDouble::LoadIni("[/Script/NetClockLink.NetClockLinkSettings]\nLinkPort=7788\n" + More + "\n");
	}
	~FLinkProject() { FDouble::LoadIni(""); }
};

namespace Scenarios
{
	inline FNetClockLinkStatus LinkOf(const FMachine& Machine)
	{
		return Machine.Get<UNetClockLink>()->GetLinkStatus();
	}
	inline bool IsLinked(const FPeer& Peer)
	{
		return LinkOf(Peer.Machine).State == ENetClockLinkState::Linked;
	}
	/** The number of the key that a client was given. Zero if there is none. */
	inline uint32 KeyOf(const FPeer& Peer)
	{
		const netclock::guest* Guest = Peer.Machine.Get<UNetClockSession>()->GetGuest();
		return Guest ? Guest->link_offer()->key.id : 0;
	}
	/** The numbers of open links, of servers and of clients. */
	inline int32 LinkServers() { return FLinkNetwork::Get().CountServers(); }
	inline int32 LinkClients() { return FLinkNetwork::Get().CountClients(); }
} // namespace Scenarios
