// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Wraps netclock.h: whether the library is there, this machine's time, and a server's answers.

#include "Clock/NetClockBackend.h"

#include "NetClock/Base/NetClockBase.h"
#include "HAL/PlatformTime.h"
#include "NetClockCLibrary.h"

namespace
{
	/** The engine's clock. On Linux time services slew it. */
	int64 EngineTicks()
	{
		return static_cast<int64>(
			FMath::FloorToDouble(FPlatformTime::Seconds() * static_cast<double>(NetClock::TicksPerSecond)));
	}

	/** One for the process, like the library itself. */
	enum class ELibrary : uint8 { NotAsked, Usable, Unusable };
	ELibrary Library = ELibrary::NotAsked;
}

bool NetClock::IsLibraryUsable()
{
	if (Library == ELibrary::NotAsked)
	{
		const uint32_t Found = netclock_abi_version();
		Library = Found == NETCLOCK_ABI_VERSION ? ELibrary::Usable : ELibrary::Unusable;
		if (Found == 0)
		{
			UE_LOG(LogNetClock, Warning,
				TEXT("NetClock was built without its library for this platform, so it uses the engine's "
					 "clock. "
					 "Docs/troubleshooting.md of the plugin says how to add the library."));
		}
		else if (Library == ELibrary::Unusable)
		{
			UE_LOG(LogNetClock, Error,
				TEXT("The loaded NetClock library has binary interface %u, but this plugin was built for %u. "
					 "Copy plugin and library from the same release, and remove older copies of the library. "
					 "Until then the plugin uses the engine's clock."),
				static_cast<uint32>(Found), static_cast<uint32>(NETCLOCK_ABI_VERSION));
		}
	}
	return Library == ELibrary::Usable;
}

void NetClock::DoNotUseLibrary()
{
	Library = ELibrary::Unusable;
}

int64 NetClock::LocalTicks()
{
	return IsLibraryUsable() ? netclock_monotonic_now() : EngineTicks();
}

int64 NetClock::BootId()
{
	static const int64 Id = IsLibraryUsable() ? static_cast<int64>(netclock_boot_id()) : 0;
	return Id;
}

TSharedPtr<FNetClockServer> FNetClockServer::Create(int64 Epoch)
{
	return Own<FNetClockServer>(&netclock_server_destroy, [Epoch](netclock_server** Made)
		{ return netclock_server_create(static_cast<uint64_t>(Epoch), Made); });
}

bool FNetClockServer::Answer(
	const FNetClockRequest& Request, int64 ReceivedTicks, int64 SentTicks, FNetClockReply& Reply) const
{
	auto Asked = NetClock::Sized<netclock_request>();
	Asked.id = static_cast<uint64_t>(Request.Id);
	Asked.client_time = Request.ClientTicks;
	auto Answered = NetClock::Sized<netclock_reply>();
	if (netclock_server_respond(Handle, &Asked, ReceivedTicks, SentTicks, &Answered) != NETCLOCK_OK)
	{
		return false;
	}
	Reply.Id = static_cast<int64>(Answered.id);
	Reply.Epoch = static_cast<int64>(Answered.epoch);
	Reply.ReceivedTicks = Answered.received;
	Reply.SentTicks = Answered.sent;
	return true;
}
