// No public page specifies this hash, so the double's values differ from the engine's.
#pragma once

#include "CoreMinimal.h"

struct FCrc
{
	static uint32 StrCrc32(const TCHAR* Text, uint32 Hash = 2166136261u)
	{
		for (; *Text; ++Text) { Hash = (Hash ^ static_cast<uint32>(*Text)) * 16777619u; }
		return Hash;
	}
};
