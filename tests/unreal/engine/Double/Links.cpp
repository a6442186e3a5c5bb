// What the plugin calls as netclock_link_serve, netclock_link_connect and netclock_link_stop.
#include "Double/Links.h"

namespace FDouble
{
	FLinkCalls LinkCalls;
	std::int64_t (*RealTicks)() = nullptr;

	/** NETCLOCK_NO_SOCKET. */
	static constexpr std::int32_t NoSocket = -1004;
}

extern "C" std::int32_t netclock_double_link_serve(const void* Config, const char* Address, std::uint16_t Port, std::uint64_t Epoch, void** Link);
extern "C" std::int32_t netclock_double_link_serve(const void* Config, const char* Address, std::uint16_t Port, std::uint64_t Epoch, void** Link)
{
	return FDouble::LinkCalls.Serve ? FDouble::LinkCalls.Serve(Config, Address, Port, Epoch, Link) : FDouble::NoSocket;
}

extern "C" std::int32_t netclock_double_link_connect(const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link);
extern "C" std::int32_t netclock_double_link_connect(const void* Config, void* Client, const char* Host, std::uint16_t Port, const void* Key, void** Link)
{
	return FDouble::LinkCalls.Connect ? FDouble::LinkCalls.Connect(Config, Client, Host, Port, Key, Link) : FDouble::NoSocket;
}

extern "C" std::int32_t netclock_double_link_stop(void* Link);
extern "C" std::int32_t netclock_double_link_stop(void* Link)
{
	return FDouble::LinkCalls.Stop ? FDouble::LinkCalls.Stop(Link) : FDouble::NoSocket;
}
