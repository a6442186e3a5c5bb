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

	// For tests only.
	/** Calls the functions that draw over a view. Engines 5.0 to 5.5 pass a null player. */
	static void Draw(UCanvas& Canvas, UWorld* World, APlayerController* Player = nullptr);
	static size_t Count();
};
