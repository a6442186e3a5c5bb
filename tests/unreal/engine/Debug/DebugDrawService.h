// The engine double: who draws over the view of a player.
#pragma once

#include "CoreMinimal.h"

class APlayerController;
class UCanvas;

using FDebugDrawDelegate = TDoubleDelegate<void, UCanvas*, APlayerController*>;

class UDebugDrawService
{
public:
	static FDelegateHandle Register(const TCHAR* Flag, const FDebugDrawDelegate& Delegate);
	static void Unregister(FDelegateHandle Handle);

	// Of the double itself: the view of that player is drawn. Returns how many are registered.
	static size_t Draw(UCanvas* Canvas, APlayerController* Player);
};
