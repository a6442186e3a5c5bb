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
	/** Calls the functions that draw over the view of a world. Engines 5.0 to 5.5 pass a null player. What
	   later engines pass is unknown. */
	static void Draw(UCanvas& Canvas, UWorld* World, APlayerController* Player = nullptr);
	static size_t Count();
};
