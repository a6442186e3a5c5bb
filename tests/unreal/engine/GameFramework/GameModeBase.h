#pragma once

#include "GameFramework/GameStateBase.h"
#include "GameFramework/HUD.h"
#include "GameFramework/PlayerController.h"

using FCanUnpause = TDoubleDelegate<bool>;

class AGameModeBase : public AInfo
{
	DOUBLE_CLASS(AGameModeBase, AInfo)
	virtual void PostLogin(APlayerController*) {}
	virtual void Logout(AController*) {}
	virtual bool AllowPausing(APlayerController*) { return bPauseable; }
	/** Ignores the delegate that, in the engine, decides when the pause may end. */
	virtual bool SetPause(APlayerController* Player, FCanUnpause)
	{
		GetWorld()->bPaused = GetWorld()->bPaused || AllowPausing(Player);
		return GetWorld()->bPaused;
	}
	virtual bool ClearPause()
	{
		GetWorld()->bPaused = false;
		return true;
	}
	template <class T> T* GetGameState() const { return GetWorld()->GetGameState<T>(); }

	TSubclassOf<AGameStateBase> GameStateClass;
	TSubclassOf<APlayerController> PlayerControllerClass;
	TSubclassOf<AHUD> HUDClass;
	bool bPauseable = true;
};
