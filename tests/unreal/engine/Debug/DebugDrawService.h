// The engine double: who draws over the view of a player.
#pragma once

#include "CoreMinimal.h"

class APlayerController;
class UCanvas;
class UWorld;

using FDebugDrawDelegate = TDoubleDelegate<void, UCanvas*, APlayerController*>;

class UDebugDrawService
{
public:
	static FDelegateHandle Register(const TCHAR* Flag, const FDebugDrawDelegate& Delegate);
	static void Unregister(FDelegateHandle Handle);

	// Of the double itself.
	/** The view of a world is drawn. From 5.0 to 5.5 engines name no player; later ones are not known to. */
	static void Draw(UCanvas& Canvas, UWorld* World, APlayerController* Player = nullptr);
	/** How many are registered. */
	static size_t Count();
};
