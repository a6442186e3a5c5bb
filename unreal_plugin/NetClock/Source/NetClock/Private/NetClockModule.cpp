// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Base/NetClockBase.h"
#include "CoreMinimal.h"
#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "Modules/ModuleManager.h"
#include "Session/NetClockConversions.h"

DEFINE_LOG_CATEGORY(LogNetClock);

class FNetClockModule : public IModuleInterface
{
public:
	virtual void StartupModule() override
	{
		if (!LoadLibraryFile())
		{
			NetClock::DoNotUseLibrary();
		}
		// Log errors at startup rather than when the first player joins.
		static_cast<void>(NetClock::IsLibraryUsable());
	}

private:
	/** Loads the library. On Windows, the library is delay-loaded, so the game would crash if it called a
	 * function before loading the library. On other platforms, the system loads the library along with the
	 * module. The library is never unloaded, because objects that are garbage-collected after the module has
	 * shut down still call it. */
	bool LoadLibraryFile()
	{
#if PLATFORM_WINDOWS && WITH_NETCLOCK_LIBRARY
		const TSharedPtr<IPlugin> Plugin = IPluginManager::Get().FindPlugin(TEXT("NetClock"));
		const FString Directory = Plugin.IsValid() ? Plugin->GetBaseDir() : FString();
		const FString File =
			FPaths::Combine(*Directory, TEXT("Binaries/ThirdParty/NetClockLibrary/Win64/netclock.dll"));
		if (!FPlatformProcess::GetDllHandle(*File))
		{
			UE_LOG(LogNetClock, Error,
				TEXT("%s could not be loaded. Run `cargo xtask plugin --project <this project> --release`, "
					 "and in a packaged game check that the file is staged. Until then the plugin uses the "
					 "engine's clock."),
				*File);
			return false;
		}
#endif
		return true;
	}
};

IMPLEMENT_MODULE(FNetClockModule, NetClock)
