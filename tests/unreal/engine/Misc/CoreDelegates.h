// The engine double: what the application reports of itself.
#pragma once

#include "Double/Delegates.h"

struct FCoreDelegates
{
	static TDoubleMulticast<> ApplicationHasEnteredForegroundDelegate;
};
