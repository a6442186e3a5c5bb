#pragma once

#include "CoreMinimal.h"

struct FPaths
{
	static FString Combine(const TCHAR* A, const TCHAR* B) { return FString(FDoubleText(A) + TEXT("/") + B); }
	static FString ProjectSavedDir();
	static FString ConvertRelativePathToFull(const FString& Path) { return Path; }
};
