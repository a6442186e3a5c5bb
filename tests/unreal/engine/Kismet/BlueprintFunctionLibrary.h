// The engine double: functions for Blueprints.
#pragma once

#include "CoreMinimal.h"

class UBlueprintFunctionLibrary : public UObject
{
	DOUBLE_CLASS(UBlueprintFunctionLibrary, UObject)
};
