// The engine double: the name of an editor world in messages.
#pragma once

#include "CoreMinimal.h"

class UWorld;

FString GetDebugStringForWorld(const UWorld* World);
