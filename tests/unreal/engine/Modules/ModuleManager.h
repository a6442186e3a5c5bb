// A module manager that relies on the program to start its modules.
#pragma once

#include "CoreMinimal.h"

class IModuleInterface
{
public:
	virtual ~IModuleInterface() = default;
	virtual void StartupModule() {}
	virtual void ShutdownModule() {}
};

class FDefaultModuleImpl : public IModuleInterface
{
};

class FDefaultGameModuleImpl : public FDefaultModuleImpl
{
};

namespace FDouble
{
	inline auto& Modules() { return Only<std::vector<IModuleInterface*>>(); }
}

#define IMPLEMENT_MODULE(TModule, Name) \
	static TModule DoubleModule##Name; \
	static const bool bDoubleModule##Name = (FDouble::Modules().push_back(&DoubleModule##Name), true);
#define IMPLEMENT_PRIMARY_GAME_MODULE(TModule, Name, Game) IMPLEMENT_MODULE(TModule, Name)
