// Implements netclock_link_server_create, netclock_link_client_create and the matching _destroy functions.
#include "Double/Links.h"

namespace FDouble
{
	FLinkCalls LinkCalls;

	/** NETCLOCK_NO_SOCKET. */
	static constexpr std::int32_t NoSocket = -1004;
}

#define DOUBLE_LINK_CALL(Name, Call, Parameters, Arguments)                                     \
	extern "C" std::int32_t netclock_double_link_##Name Parameters;                             \
	extern "C" std::int32_t netclock_double_link_##Name Parameters                              \
	{                                                                                           \
		return FDouble::LinkCalls.Call ? FDouble::LinkCalls.Call Arguments : FDouble::NoSocket; \
	}

DOUBLE_LINK_CALL(server_create, Serve,
	(const void* Config, const char* Address, std::uint16_t Port, std::uint64_t Epoch, void** Link),
	(Config, Address, Port, Epoch, Link))
DOUBLE_LINK_CALL(client_create, Connect,
	(const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link),
	(Config, Client, Host, Port, Key, Link))
DOUBLE_LINK_CALL(server_destroy, EndServer, (void* Link), (Link))
DOUBLE_LINK_CALL(client_destroy, EndClient, (void* Link), (Link))
