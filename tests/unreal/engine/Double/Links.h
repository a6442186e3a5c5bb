// The worlds implement the library's calls that open and close sockets.
#pragma once

#include <cstdint>

namespace FDouble
{
	struct FLinkCalls
	{
		std::int32_t (*Serve)(const void* Config, const char* Address, std::uint16_t Port,
			std::uint64_t Epoch, void** Link) = nullptr;
		std::int32_t (*Connect)(const void* Config, void* Client, const char* Host, std::uint16_t Port,
			const void* Key, void** Link) = nullptr;
		std::int32_t (*EndServer)(void* Link) = nullptr;
		std::int32_t (*EndClient)(void* Link) = nullptr;
	};
	extern FLinkCalls LinkCalls;
}
