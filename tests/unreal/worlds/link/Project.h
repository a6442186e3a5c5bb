// A project that sets the link's port.
#pragma once

#include "NetClock/Link/NetClockLink.h"
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

	static UNetClockLink& On(const FMachine& Machine) { return *Machine.Get<UNetClockLink>(); }
	static ENetClockLinkState State(const FMachine& Machine) { return On(Machine).GetLinkStatus().State; }
	static bool IsLinked(const FPeer& Peer) { return State(Peer.Machine) == ENetClockLinkState::Linked; }
};
