// The engine double: loading libraries, of which there is never one to be found here; what follows from that is tested.
// And sleeping, which passes true time.
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR*) { return nullptr; }
	static void FreeDllHandle(void*) {}
	static void Sleep(float Seconds);
};
