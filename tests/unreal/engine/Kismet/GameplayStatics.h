#pragma once

#include "GameFramework/WorldSettings.h"

class UGameplayStatics
{
public:
	static void SetGlobalTimeDilation(const UObject* WorldContextObject, float TimeDilation)
	{
		WorldContextObject->GetWorld()->GetWorldSettings()->TimeDilation = TimeDilation;
	}
};
