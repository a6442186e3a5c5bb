// The engine double: loading libraries, which are found on Windows alone, and sleeping, which passes true time.
#pragma once

#include "CoreTypes.h"

struct FPlatformProcess
{
	static void* GetDllHandle(const TCHAR* File);
	static void Sleep(float Seconds);
};
