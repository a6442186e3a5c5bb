// The engine double: spans of time, counted in ticks of 100 ns.
#pragma once

#include "CoreTypes.h"

struct FTimespan
{
	FTimespan() = default;
	explicit FTimespan(int64 InTicks) : Ticks(InTicks) {}
	int64 GetTicks() const { return Ticks; }

private:
	int64 Ticks = 0;
};
