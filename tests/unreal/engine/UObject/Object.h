#pragma once

#include "CoreMinimal.h"
#include "Double/Objects.h"
