// The engine double: comparing engine versions.
#pragma once

#include "Runtime/Launch/Resources/Version.h"

#define UE_VERSION_OLDER_THAN(Major, Minor, Patch)                                                           \
	(ENGINE_MAJOR_VERSION < (Major) ||                                                                       \
		(ENGINE_MAJOR_VERSION == (Major) &&                                                                  \
			(ENGINE_MINOR_VERSION < (Minor) ||                                                               \
				(ENGINE_MINOR_VERSION == (Minor) && ENGINE_PATCH_VERSION < (Patch)))))
