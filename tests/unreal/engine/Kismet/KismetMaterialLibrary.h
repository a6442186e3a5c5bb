#pragma once

#include "CoreMinimal.h"

class UMaterialParameterCollection;

class UKismetMaterialLibrary
{
public:
	static void SetScalarParameterValue(UObject*, UMaterialParameterCollection*, FName, float) {}
};
