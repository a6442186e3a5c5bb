// Loads libraries. This only works on Windows or if a test provides them. Sleeping advances the true time.
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR* File);
	static void FreeDllHandle(void* Handle);
	static void Sleep(float Seconds);
};
