// The build defines the engine version.
#pragma once

#ifndef DOUBLE_MAJOR
#error "Set DOUBLE_MAJOR and DOUBLE_MINOR: the engine version to imitate."
#endif

#define ENGINE_MAJOR_VERSION DOUBLE_MAJOR
#define ENGINE_MINOR_VERSION DOUBLE_MINOR
