// The engine double: settings of a project, one object for each class, filled from the ini.
#pragma once

#include "UObject/Object.h"

class UDeveloperSettings : public UObject
{
	DOUBLE_CLASS(UDeveloperSettings, UObject)
	/** Where the editor shows it. */
	virtual FName GetCategoryName() const { return NAME_None; }
};
