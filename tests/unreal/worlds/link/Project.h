// A project that sets the link's port.
#pragma once

#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Link/NetClockLink.h"
#include "NetClockCLibrary.h"
#include "Network.h"
#include "Scenarios.h"

/** The link's settings in the ini, for as long as this lives. */
struct FLinkProject
{
	explicit FLinkProject(const std::string& More = "")
	{
		FDouble::LoadIni("[/Script/NetClock.NetClockSettings]\nLinkPort=7788\n" + More + "\n");
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
	/** The number of the key that a client was given. Zero: none. */
	inline uint32 KeyOf(const FPeer& Peer)
	{
		const netclock::guest* Guest = Peer.Machine.Get<UNetClockSession>()->GetGuest();
		return Guest ? Guest->link_offer()->key.id : 0;
	}
	/** Links that are open, of servers and of clients. */
	inline int32 LinkServers() { return FLinkNetwork::Get().CountServers(); }
	inline int32 LinkClients() { return FLinkNetwork::Get().CountClients(); }
} // namespace Scenarios
