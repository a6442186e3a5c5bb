// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "CoreMinimal.h"
#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "Modules/ModuleManager.h"
#include "Clock/NetClockBackend.h"
#include "Debug/NetClockDebuggerCategory.h"
#include "Base/NetClockLog.h"

#if WITH_GAMEPLAY_DEBUGGER
#include "GameplayDebugger.h"
#endif

DEFINE_LOG_CATEGORY(LogNetClock);

class FNetClockModule : public IModuleInterface
{
public:
	virtual void StartupModule() override
	{
		// Says what is wrong, once and here, rather than at the first player who joins.
		if (LoadLibraryFile())
		{
			NetClock::IsLibraryUsable();
		}
		else
		{
			NetClock::DoNotUseLibrary();
		}
#if WITH_GAMEPLAY_DEBUGGER
		IGameplayDebugger& Debugger = IGameplayDebugger::Get();
		Debugger.RegisterCategory(TEXT("NetClock"), IGameplayDebugger::FOnGetCategory::CreateStatic(&FNetClockDebuggerCategory::MakeInstance),
			EGameplayDebuggerCategoryState::EnabledInGameAndSimulate);
		Debugger.NotifyCategoriesChanged();
#endif
	}

	virtual void ShutdownModule() override
	{
#if WITH_GAMEPLAY_DEBUGGER
		// It may have gone before.
		if (IGameplayDebugger::IsAvailable())
		{
			IGameplayDebugger::Get().UnregisterCategory(TEXT("NetClock"));
			IGameplayDebugger::Get().NotifyCategoriesChanged();
		}
#endif
		if (LibraryHandle)
		{
			FPlatformProcess::FreeDllHandle(LibraryHandle);
			LibraryHandle = nullptr;
		}
	}

private:
	/**
	 * On Windows the library is linked to be loaded late: a first call without it would end the game. So it is loaded
	 * here, from where the plugin has it. Elsewhere the system has loaded it along with the module.
	 */
	bool LoadLibraryFile()
	{
#if PLATFORM_WINDOWS && WITH_NETCLOCK_LIBRARY
		const TSharedPtr<IPlugin> Plugin = IPluginManager::Get().FindPlugin(TEXT("NetClock"));
		const FString Directory = Plugin.IsValid() ? Plugin->GetBaseDir() : FString();
		const FString File = FPaths::Combine(*Directory, TEXT("Source/ThirdParty/NetClockLibrary/lib/Win64/netclock.dll"));
		LibraryHandle = FPlatformProcess::GetDllHandle(*File);
		if (!LibraryHandle)
		{
			UE_LOG(LogNetClock, Error,
				TEXT("%s could not be loaded. Run `cargo xtask plugin --project <this project> --release`, and in a packaged game see that the file is staged. Until then the engine's own clock is used."),
				*File);
			return false;
		}
#endif
		return true;
	}

	void* LibraryHandle = nullptr;
};

IMPLEMENT_MODULE(FNetClockModule, NetClock)
