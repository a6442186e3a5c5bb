// The engine double: dates in ticks of 100 ns since the year 1. As a text, the date is always the same.
#pragma once

#include "CoreMinimal.h"

struct FDateTime
{
	FDateTime() = default;
	explicit FDateTime(int64 InTicks) : Ticks(InTicks) {}
	static FDateTime Now() { return {}; }
	/** The UTC of all machines. */
	static FDateTime UtcNow();
	int64 GetTicks() const { return Ticks; }
	FString ToString() const { return FString(TEXT("2026.11.21-10.20.30")); }

private:
	int64 Ticks = 0;
};
