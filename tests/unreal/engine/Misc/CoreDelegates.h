#pragma once

#include "Double/Delegates.h"

struct FCoreDelegates
{
	static TDoubleMulticast<> ApplicationHasEnteredForegroundDelegate;
};
