// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "CoreMinimal.h"
#include "Modules/ModuleManager.h"
#include "NetClockBackend.h"
#include "NetClockLog.h"

DEFINE_LOG_CATEGORY(LogNetClock);

class FNetClockModule : public IModuleInterface
{
public:
	virtual void StartupModule() override
	{
		// Says what is wrong, once and here, rather than at the first player who joins.
		NetClock::IsLibraryUsable();
	}
};

IMPLEMENT_MODULE(FNetClockModule, NetClock)
