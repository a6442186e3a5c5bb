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
	static IGameplayDebugger& Get() { return FDouble::Only<IGameplayDebugger>(); }
	static bool IsAvailable() { return true; }
	void RegisterCategory(
		const TCHAR* Name, const FOnGetCategory& Make, EGameplayDebuggerCategoryState State);
	void UnregisterCategory(const TCHAR* Name);
	void NotifyCategoriesChanged() { Known = Registered; }

	// For tests only.
	std::vector<std::pair<std::string, FOnGetCategory>> Registered, Known;
};
