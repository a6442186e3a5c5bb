// Whole files on the simulated disk of the machine whose frame is running.
#pragma once

#include "CoreMinimal.h"

struct FFileHelper
{
	static bool LoadFileToArray(TArray<uint8>& Result, const TCHAR* Name);
	static bool SaveArrayToFile(const TArray<uint8>& Bytes, const TCHAR* Name);
};
