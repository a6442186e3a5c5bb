// Objects collected after their modules' shutdown still call the library, so the library must remain loaded.
#include "Modules/ModuleManager.h"
#include "Scenarios.h"

static int32 Destroyed = 0;

// Replaces the library's function to count its calls.
#if PLATFORM_WINDOWS && WITH_NETCLOCK_LIBRARY && defined(__linux__)
constexpr bool bCountsCalls = true;
extern "C" int32 __real_netclock_guest_destroy(void* Guest);
extern "C" int32 __wrap_netclock_guest_destroy(void* Guest);
extern "C" int32 __wrap_netclock_guest_destroy(void* Guest)
{
	check(!FDouble::State.bLibraryFreed);
	++Destroyed;
	return __real_netclock_guest_destroy(Guest);
}
#else
constexpr bool bCountsCalls = false;
#endif

namespace Scenarios
{
	void ModuleEnd(uint64 Seed)
	{
		FDouble::CollectAll();
		{
			FDuo Session(Seed + 80, Link(25, 4, 0, 0));
			Session.Run(3);
			Expect(Session.Peer.Clock()->IsSynced() && Session.Peer.Component(),
				"a clock and its component are alive");
			for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); }
			Expect(!FDouble::State.bLibraryFreed, "the library stays loaded until objects are collected");
			Destroyed = 0;
		}
		FDouble::CollectAll();
		Expect(Destroyed > 0 || !bCountsCalls, "clocks were destroyed after the module's end");
	}
}
