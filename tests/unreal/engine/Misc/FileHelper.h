// Reads and writes whole files on the current machine's simulated disk.
#pragma once

#include "CoreMinimal.h"

struct FFileHelper
{
	static bool LoadFileToArray(TArray<uint8>& Result, const TCHAR* Name);
	static bool SaveArrayToFile(const TArray<uint8>& Bytes, const TCHAR* Name);
};
