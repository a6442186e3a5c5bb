#pragma once

#include "UObject/Object.h"

class UBlueprintFunctionLibrary : public UObject
{
	DOUBLE_CLASS(UBlueprintFunctionLibrary, UObject)
};
