// The engine double: what nearly every file of a plugin includes. Objects and identifiers are only named: who
// uses them includes their headers.
#pragma once

#include "CoreTypes.h"
#include "Double/Containers.h"
#include "Double/Delegates.h"
