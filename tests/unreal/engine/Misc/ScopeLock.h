#pragma once

#include "HAL/CriticalSection.h"

class FScopeLock
{
public:
	FScopeLock(FCriticalSection* InSection) : Section(InSection) { Section->Lock(); }
	FScopeLock(const FScopeLock&) = delete;
	FScopeLock& operator=(const FScopeLock&) = delete;
	~FScopeLock() { Section->Unlock(); }

private:
	FCriticalSection* Section;
};
