#pragma once

#include "Engine/World.h"
#include "Misc/OutputDevice.h"

using FConsoleCommandWithWorldArgsAndOutputDeviceDelegate =
	TDoubleDelegate<void, const TArray<FString>&, UWorld*, FOutputDevice&>;

class FAutoConsoleCommandWithWorldArgsAndOutputDevice
{
public:
	FAutoConsoleCommandWithWorldArgsAndOutputDevice(const TCHAR* Name, const TCHAR* Help,
		const FConsoleCommandWithWorldArgsAndOutputDeviceDelegate& Command);
};

/** The double supports only numeric console variables. */
template <class T> class TAutoConsoleVariable
{
public:
	TAutoConsoleVariable(const TCHAR* Name, const T& Default, const TCHAR* Help);
	T GetValueOnGameThread() const { return Value; }

private:
	T Value;
};

namespace FDouble
{
	std::vector<std::string> Console(UWorld* World, const std::string& Line);
}
