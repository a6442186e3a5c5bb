// The engine double: the date, which is always the same.
#pragma once

#include "CoreMinimal.h"

struct FDateTime
{
	static FDateTime Now() { return {}; }
	FString ToString() const { return FString(TEXT("2026.11.21-10.20.30")); }
};
