#pragma once

#include "CoreMinimal.h"

class UWorld;

FString GetDebugStringForWorld(const UWorld* World);
