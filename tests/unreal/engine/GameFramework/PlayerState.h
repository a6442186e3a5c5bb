#pragma once

#include "GameFramework/Actor.h"

class APlayerState : public AInfo
{
	DOUBLE_CLASS(APlayerState, AInfo)
	FString GetPlayerName() const { return Name; }

	// Not in the engine.
	FString Name;
};
