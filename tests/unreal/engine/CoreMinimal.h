// This header only declares these classes, so sources that use them must include their headers.
#pragma once

#include "CoreTypes.h"
#include "Double/Containers.h"
#include "Double/Delegates.h"
