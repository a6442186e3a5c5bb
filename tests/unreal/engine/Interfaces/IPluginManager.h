// A plugin manager that knows one plugin.
#pragma once

#include "CoreMinimal.h"

class IPlugin
{
public:
	FString GetBaseDir() const { return FString(TEXT("../Plugins/NetClock")); }
};

class IPluginManager
{
public:
	static IPluginManager& Get() { return FDouble::Only<IPluginManager>(); }
	TSharedPtr<IPlugin> FindPlugin(const FString& Name) const
	{
		if (Name == TEXT("NetClock")) { return MakeShared<IPlugin>(); }
		return nullptr;
	}
};
