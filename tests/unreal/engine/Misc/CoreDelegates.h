// The engine double: events of the application.
#pragma once

#include "Double/Delegates.h"

struct FCoreDelegates
{
	static TDoubleMulticast<> ApplicationHasEnteredForegroundDelegate;
};
