// The engine double: where a command says what it has to say.
#pragma once

#include "CoreMinimal.h"

class FOutputDevice
{
public:
	virtual ~FOutputDevice() = default;
	virtual void Log(const TCHAR* Text) = 0;
};
