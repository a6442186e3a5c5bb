// Monotonic clock of the machine whose frame is running.
#pragma once

#include "CoreTypes.h"

struct FPlatformTime
{
	static double Seconds();
};
