#pragma once

#include "GameFramework/Actor.h"

class APlayerState : public AInfo
{
	DOUBLE_CLASS(APlayerState, AInfo)
	FString GetPlayerName() const { return Name; }

	// For tests only.
	FString Name;
};
