// The engine double: objects.
#pragma once

#include "CoreMinimal.h"
#include "Double/Objects.h"
