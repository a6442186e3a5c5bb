// The engine double: loading libraries. There is never one to be found here; what follows from that is tested.
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR*) { return nullptr; }
	static void FreeDllHandle(void*) {}
};
