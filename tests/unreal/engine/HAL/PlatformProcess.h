// The engine double: loading libraries, which are found on Windows, or where a test says so, and sleeping,
// which passes true time.
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR* File);
	static void FreeDllHandle(void* Handle);
	static void Sleep(float Seconds);
};
