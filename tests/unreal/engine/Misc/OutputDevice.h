#pragma once

#include "CoreMinimal.h"

class FOutputDevice
{
public:
	virtual ~FOutputDevice() = default;
	virtual void Log(const TCHAR* Text) = 0;
};
