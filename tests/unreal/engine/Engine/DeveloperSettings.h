#pragma once

#include "UObject/Object.h"

class UDeveloperSettings : public UObject
{
	DOUBLE_CLASS(UDeveloperSettings, UObject)
	virtual FName GetCategoryName() const { return NAME_None; }
};
