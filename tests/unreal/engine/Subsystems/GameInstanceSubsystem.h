#pragma once

#include "Engine/GameInstance.h"
#include "Subsystems/WorldSubsystem.h"

class UGameInstanceSubsystem : public USubsystem
{
	DOUBLE_CLASS(UGameInstanceSubsystem, USubsystem)
	UGameInstance* GetGameInstance() const { return Cast<UGameInstance>(GetOuter()); }
};
