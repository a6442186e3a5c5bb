#pragma once

#include "GameFramework/GameStateBase.h"

class AGameState : public AGameStateBase
{
	DOUBLE_CLASS(AGameState, AGameStateBase)
};
