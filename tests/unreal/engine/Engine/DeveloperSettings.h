#pragma once

#include "UObject/Object.h"

class UDeveloperSettings : public UObject
{
	DOUBLE_CLASS(UDeveloperSettings, UObject)
	/** Returns the category in which the editor shows the settings. */
	virtual FName GetCategoryName() const { return NAME_None; }
};
