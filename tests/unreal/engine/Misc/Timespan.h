// Time spans in ticks of 100 ns.
#pragma once

#include "CoreTypes.h"

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
