// Random identifiers derived from the scenario's seed.
#pragma once

#include "CoreTypes.h"

struct FGuid
{
	uint32 A = 0, B = 0, C = 0, D = 0;
	static FGuid NewGuid();
	bool IsValid() const { return (A | B | C | D) != 0; }
};
