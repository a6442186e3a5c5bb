// This header only declares these classes, so sources that use a class must include its header.
#pragma once

#include "CoreTypes.h"
#include "Double/Containers.h"
#include "Double/Delegates.h"
