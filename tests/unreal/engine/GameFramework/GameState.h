// The engine double: the game state of matches.
#pragma once

#include "GameFramework/GameStateBase.h"

class AGameState : public AGameStateBase
{
	DOUBLE_CLASS(AGameState, AGameStateBase)
};
