// The engine double: what the engine calls a world of the editor.
#pragma once

#include "CoreMinimal.h"

class UWorld;

FString GetDebugStringForWorld(const UWorld* World);
