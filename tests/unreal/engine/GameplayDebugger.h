// The engine double: the gameplay debugger's categories.
#pragma once

#include "GameplayDebuggerCategory.h"

enum class EGameplayDebuggerCategoryState : uint8
{
	EnabledInGameAndSimulate,
	EnabledInGame,
	EnabledInSimulate,
	Disabled,
	Hidden
};

class IGameplayDebugger
{
public:
	using FOnGetCategory = TDoubleDelegate<TSharedRef<FGameplayDebuggerCategory>>;
	static IGameplayDebugger& Get();
	static bool IsAvailable() { return true; }
	void RegisterCategory(
		const TCHAR* Name, const FOnGetCategory& Make, EGameplayDebuggerCategoryState State);
	void UnregisterCategory(const TCHAR* Name);
	/** Until this is called, nobody knows. */
	void NotifyCategoriesChanged() { Known = Registered; }

	// Of the double itself.
	std::vector<std::pair<std::string, FOnGetCategory>> Registered, Known;
};
