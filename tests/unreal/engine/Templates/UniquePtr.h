#pragma once

#include "Double/Containers.h"
