// Dates in ticks of 100 ns since the year 1, and time spans in ticks.
#pragma once

#include "CoreMinimal.h"

struct FTimespan
{
	FTimespan() = default;
	explicit FTimespan(int64 InTicks) : Ticks(InTicks) {}
	static FTimespan FromHours(double Hours)
	{
		return FTimespan(static_cast<int64>(Hours * 36'000'000'000.0));
	}
	int64 GetTicks() const { return Ticks; }

private:
	int64 Ticks = 0;
};

struct FDateTime
{
	FDateTime() = default;
	explicit FDateTime(int64 InTicks) : Ticks(InTicks) {}
	static FDateTime Now() { return {}; }
	static FDateTime UtcNow();
	int64 GetTicks() const { return Ticks; }
	int32 GetHour() const { return static_cast<int32>(Ticks / 36'000'000'000 % 24); }
	FDateTime GetDate() const { return FDateTime(Ticks - Ticks % 864'000'000'000); }
	FDateTime operator+(const FTimespan& Span) const { return FDateTime(Ticks + Span.GetTicks()); }
	FString ToString() const { return FString(TEXT("2026.11.21-10.20.30")); }

private:
	int64 Ticks = 0;
};
