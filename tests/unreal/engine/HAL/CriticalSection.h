#pragma once

#include <mutex>

#include "CoreTypes.h"

class FCriticalSection
{
public:
	void Lock() { Held.lock(); }
	void Unlock() { Held.unlock(); }

private:
	std::mutex Held;
};
