// API page "TUniquePtr".
#pragma once

#include "Double/Containers.h"
