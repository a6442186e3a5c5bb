// The engine double: what all know of a player.
#pragma once

#include "GameFramework/Actor.h"

class APlayerState : public AInfo
{
	DOUBLE_CLASS(APlayerState, AInfo)
	FString GetPlayerName() const { return Name; }

	// Of the double itself.
	FString Name;
};
