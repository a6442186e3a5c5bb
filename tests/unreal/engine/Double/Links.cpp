// The implementations of netclock_link_server_create, netclock_link_client_create and their _destroy.
#include "Double/Links.h"

namespace FDouble
{
	FLinkCalls LinkCalls;

	/** NETCLOCK_NO_SOCKET. */
	static constexpr std::int32_t NoSocket = -1004;
}

extern "C" std::int32_t netclock_double_link_server_create(
	const void* Config, const char* Address, std::uint16_t Port, std::uint64_t Epoch, void** Link);
extern "C" std::int32_t netclock_double_link_server_create(
	const void* Config, const char* Address, std::uint16_t Port, std::uint64_t Epoch, void** Link)
{
	return FDouble::LinkCalls.Serve ? FDouble::LinkCalls.Serve(Config, Address, Port, Epoch, Link)
									: FDouble::NoSocket;
}

extern "C" std::int32_t netclock_double_link_client_create(
	const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link);
extern "C" std::int32_t netclock_double_link_client_create(
	const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link)
{
	return FDouble::LinkCalls.Connect ? FDouble::LinkCalls.Connect(Config, Client, Host, Port, Key, Link)
									  : FDouble::NoSocket;
}

extern "C" std::int32_t netclock_double_link_server_destroy(void* Link);
extern "C" std::int32_t netclock_double_link_server_destroy(void* Link)
{
	return FDouble::LinkCalls.EndServer ? FDouble::LinkCalls.EndServer(Link) : FDouble::NoSocket;
}

extern "C" std::int32_t netclock_double_link_client_destroy(void* Link);
extern "C" std::int32_t netclock_double_link_client_destroy(void* Link)
{
	return FDouble::LinkCalls.EndClient ? FDouble::LinkCalls.EndClient(Link) : FDouble::NoSocket;
}
