// The engine double: the owner of one object. API page "TUniquePtr".
#pragma once

#include "Double/Containers.h"
