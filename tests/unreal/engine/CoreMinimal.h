// The engine double: what nearly every file of a plugin includes.
#pragma once

#include "CoreTypes.h"
#include "Double/Containers.h"
#include "Double/Delegates.h"
#include "Double/Objects.h"
#include "Misc/Guid.h"
#include "UObject/ObjectMacros.h"
