// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Modules/ModuleManager.h"
#include "NetClockDebuggerCategory.h"

#if WITH_GAMEPLAY_DEBUGGER
#include "GameplayDebugger.h"
#endif

class FNetClockDebugModule : public IModuleInterface
{
public:
	virtual void StartupModule() override
	{
#if WITH_GAMEPLAY_DEBUGGER
		IGameplayDebugger& Debugger = IGameplayDebugger::Get();
		Debugger.RegisterCategory(TEXT("NetClock"),
			IGameplayDebugger::FOnGetCategory::CreateStatic(&FNetClockDebuggerCategory::MakeInstance),
			EGameplayDebuggerCategoryState::EnabledInGameAndSimulate);
		Debugger.NotifyCategoriesChanged();
#endif
	}

	virtual void ShutdownModule() override
	{
#if WITH_GAMEPLAY_DEBUGGER
		// The debugger's module may already have shut down.
		if (IGameplayDebugger::IsAvailable())
		{
			IGameplayDebugger::Get().UnregisterCategory(TEXT("NetClock"));
			IGameplayDebugger::Get().NotifyCategoriesChanged();
		}
#endif
	}
};

IMPLEMENT_MODULE(FNetClockDebugModule, NetClockDebug)
