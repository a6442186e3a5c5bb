#include "Network.h"

#include <algorithm>
#include <cmath>

void FLinkNetwork::EndProcess(const std::string& Address)
{
	std::erase_if(Ends, [&](const auto& End) { return End.second.Address == Address; });
}

int32 FLinkNetwork::CountServers() const
{
	return static_cast<int32>(
		std::count_if(Ends.begin(), Ends.end(), [](const auto& End) { return End.second.bServer; }));
}

#if WITH_NETCLOCK_LINK

// This header declares the functions below, because compiler arguments rename the library's functions.
#include "netclock/netclock_link.h"

#undef netclock_link_server_create
#undef netclock_link_server_destroy
#undef netclock_link_client_create
#undef netclock_link_client_destroy

extern "C"
{
	netclock_status netclock_link_server_create(
		const netclock_link_server_config*, const char*, uint16_t, uint64_t, netclock_link_server**);
	netclock_status netclock_link_server_destroy(netclock_link_server*);
	netclock_status netclock_link_client_create(const netclock_link_client_config*, netclock_client*,
		const char*, uint16_t, const netclock_session_key*, netclock_link_client**);
	netclock_status netclock_link_client_destroy(netclock_link_client*);
}

static FLinkNetwork& Net() { return FLinkNetwork::Get(); }

static void Forget(const void* Link)
{
	std::erase_if(Net().Ends, [Link](const auto& End) { return End.second.Link == Link; });
}

netclock_status netclock_double_link_server_create(const netclock_link_server_config* Config, const char*,
	uint16_t Port, uint64_t Epoch, netclock_link_server** Link)
{
	const FDouble::FState& Here = FDouble::State;
	if (Port < Net().FirstAllowed) { return NETCLOCK_NO_PERMISSION; }
	for (const auto& [Number, End] : Net().Ends)
	{
		if (End.bServer && End.Port == Port && End.Address == Here.Address) { return NETCLOCK_PORT_IN_USE; }
	}
	netclock_link_server_config Carried = *Config;
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status = netclock_link_server_create(&Carried, nullptr, 0, Epoch, Link);
	if (Status == NETCLOCK_OK)
	{
		Net().Ends[++Net().Created] = {*Link, Here.Clock, Here.Address, "", Port, Carried.clock_offset, true};
	}
	return Status;
}

netclock_status netclock_double_link_client_create(const netclock_link_client_config* Config,
	netclock_client* Client, const char* Host, uint16_t Port, const netclock_session_key* Key,
	netclock_link_client** Link)
{
	const FDouble::FState& Here = FDouble::State;
	netclock_link_client_config Carried = *Config;
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status = netclock_link_client_create(&Carried, Client, nullptr, 0, Key, Link);
	if (Status == NETCLOCK_OK)
	{
		Net().Ends[++Net().Created] = {*Link, Here.Clock, Here.Address, Host, Port, 0, false};
	}
	return Status;
}

netclock_status netclock_double_link_server_destroy(netclock_link_server* Link)
{
	Forget(Link);
	return netclock_link_server_destroy(Link);
}

netclock_status netclock_double_link_client_destroy(netclock_link_client* Link)
{
	Forget(Link);
	return netclock_link_client_destroy(Link);
}

static int64 TicksAt(const FMachineClock& Clock, double True)
{
	return static_cast<int64>(std::floor(Clock.At(True) * 1e7));
}

void FLinkNetwork::Carry(const std::string& Address, bool bBlocked)
{
	const double Now = FDouble::State.Now;
	uint8 Asked[NETCLOCK_LINK_DATAGRAM_SIZE], Answer[NETCLOCK_LINK_DATAGRAM_SIZE];
	for (const auto& [Number, Client] : Ends)
	{
		if (Client.bServer || Client.Address != Address) { continue; }
		netclock_link_client* const Link = static_cast<netclock_link_client*>(Client.Link);
		const int64 Here = TicksAt(Client.Clock, Now), Back = TicksAt(Client.Clock, Now + 0.001);
		while (netclock_link_client_due(Link, Here, Asked, sizeof Asked, nullptr) == NETCLOCK_OK)
		{
			for (const auto& [Other, Server] : Ends)
			{
				const bool bAsked = Server.Address == Client.Host && Server.Port == Client.Port;
				if (bBlocked || !Server.bServer || !bAsked) { continue; }
				const int64 There = TicksAt(Server.Clock, Now + 0.0005) + Server.OffsetTicks;
				if (netclock_link_server_answer(static_cast<netclock_link_server*>(Server.Link), Asked,
						sizeof Asked, There, There, Answer, sizeof Answer) == NETCLOCK_OK)
				{
					static_cast<void>(netclock_link_client_handle(Link, Answer, sizeof Answer, Back));
				}
			}
		}
	}
}

#else

void FLinkNetwork::Carry(const std::string&, bool) {}

#endif
