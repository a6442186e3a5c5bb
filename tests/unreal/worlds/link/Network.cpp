#include "Network.h"

#include <cmath>

#include "Double/Links.h"

FLinkNetwork& FLinkNetwork::Get()
{
	static FLinkNetwork Network;
	return Network;
}

void FLinkNetwork::EndProcess(const std::string& Address)
{
	std::erase_if(Ends, [&](const auto& End) { return End.second.Address == Address; });
}

int32 FLinkNetwork::CountServers() const
{
	int32 Sum = 0;
	for (const auto& End : Ends) { Sum += End.second.bServer ? 1 : 0; }
	return Sum;
}

int32 FLinkNetwork::CountClients() const { return static_cast<int32>(Ends.size()) - CountServers(); }

#if WITH_NETCLOCK_LIBRARY

#undef netclock_link_server_create
#undef netclock_link_server_destroy
#undef netclock_link_client_create
#undef netclock_link_client_destroy
#undef netclock_monotonic_now
#include "netclock/netclock_link.h"

// An earlier include of this header may have declared these functions under their other names.
extern "C"
{
	netclock_status netclock_link_server_create(
		const netclock_link_server_config*, const char*, uint16_t, uint64_t, netclock_link_server**);
	netclock_status netclock_link_server_destroy(netclock_link_server*);
	netclock_status netclock_link_client_create(const netclock_link_client_config*, netclock_client*,
		const char*, uint16_t, const netclock_session_key*, netclock_link_client**);
	netclock_status netclock_link_client_destroy(netclock_link_client*);
}

static int64 TicksAt(const FMachineClock& Clock, double True)
{
	return static_cast<int64>(std::floor(Clock.At(True) * 1e7));
}

void FLinkNetwork::Begin()
{
	FDouble::LinkCalls = {
		[](const void* Config, const char*, std::uint16_t Port, std::uint64_t Epoch, void** Link)
		{ return Get().Serve(Config, Port, Epoch, Link); },
		[](const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key,
			void** Link) { return Get().Connect(Config, Client, Host, Port, Key, Link); },
		[](void* Link)
		{
			Get().Forget(Link);
			return netclock_link_server_destroy(static_cast<netclock_link_server*>(Link));
		},
		[](void* Link)
		{
			Get().Forget(Link);
			return netclock_link_client_destroy(static_cast<netclock_link_client*>(Link));
		}};
	FirstAllowed = 0;
	Ends.clear();
}

int32 FLinkNetwork::Serve(const void* Config, uint16 Port, uint64 Epoch, void** Link)
{
	if (Port < FirstAllowed) { return NETCLOCK_NO_PERMISSION; }
	for (const auto& End : Ends)
	{
		if (End.second.bServer && End.second.Port == Port && End.second.Address == FDouble::State.Address)
		{
			return NETCLOCK_PORT_IN_USE;
		}
	}
	netclock_link_server_config Carried = *static_cast<const netclock_link_server_config*>(Config);
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status = netclock_link_server_create(
		&Carried, nullptr, 0, Epoch, reinterpret_cast<netclock_link_server**>(Link));
	if (Status == NETCLOCK_OK)
	{
		const FDouble::FState& Here = FDouble::State;
		Ends[++Created] = {*Link, Here.Clock, Here.Address, "", Port, Carried.clock_offset, true};
	}
	return Status;
}

int32 FLinkNetwork::Connect(
	const void* Config, void* Client, const std::string& Host, uint16 Port, const void* Key, void** Link)
{
	netclock_link_client_config Carried = *static_cast<const netclock_link_client_config*>(Config);
	Carried.flags |= NETCLOCK_LINK_CARRIED;
	const netclock_status Status =
		netclock_link_client_create(&Carried, static_cast<netclock_client*>(Client), nullptr, 0,
			static_cast<const netclock_session_key*>(Key), reinterpret_cast<netclock_link_client**>(Link));
	if (Status == NETCLOCK_OK)
	{
		const FDouble::FState& Here = FDouble::State;
		Ends[++Created] = {*Link, Here.Clock, Here.Address, Host, Port, 0, false};
	}
	return Status;
}

void FLinkNetwork::Forget(const void* Link)
{
	std::erase_if(Ends, [Link](const auto& End) { return End.second.Link == Link; });
}

void FLinkNetwork::Carry(const std::string& Address, bool bBlocked)
{
	const double Now = FDouble::State.Now;
	std::vector<uint8> Asked(NETCLOCK_LINK_DATAGRAM_SIZE), Answer(NETCLOCK_LINK_DATAGRAM_SIZE);
	for (const auto& [Number, Client] : Ends)
	{
		if (Client.bServer || Client.Address != Address) { continue; }
		netclock_link_client* const Link = static_cast<netclock_link_client*>(Client.Link);
		const int64 Here = TicksAt(Client.Clock, Now), Back = TicksAt(Client.Clock, Now + 0.001);
		while (netclock_link_client_due(Link, Here, Asked.data(), Asked.size(), nullptr) == NETCLOCK_OK)
		{
			for (const auto& [Other, Server] : Ends)
			{
				const bool bAsked = Server.Address == Client.Host && Server.Port == Client.Port;
				if (bBlocked || !Server.bServer || !bAsked) { continue; }
				const int64 There = TicksAt(Server.Clock, Now + 0.0005) + Server.OffsetTicks;
				if (netclock_link_server_answer(static_cast<netclock_link_server*>(Server.Link),
						Asked.data(), Asked.size(), There, There, Answer.data(),
						Answer.size()) == NETCLOCK_OK)
				{
					static_cast<void>(
						netclock_link_client_handle(Link, Answer.data(), Answer.size(), Back));
				}
			}
		}
	}
}

#else

void FLinkNetwork::Begin() {}
void FLinkNetwork::Carry(const std::string&, bool) {}

#endif
