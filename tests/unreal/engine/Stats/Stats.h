// Counters of `stat`, by id. Each frame resets counters but not accumulators.
#pragma once

#include "Double/Counters.h"

#define DECLARE_STATS_GROUP(Description, Id, Category) \
	[[maybe_unused]] static const TCHAR* const Id = Description
#define DECLARE_FLOAT_ACCUMULATOR_STAT(Description, Id, Group) \
	static const FDouble::FCounter Id{"stat", #Id, Description, Group, false}
#define DECLARE_DWORD_ACCUMULATOR_STAT(Description, Id, Group) \
	static const FDouble::FCounter Id{"stat", #Id, Description, Group, false}
#define DECLARE_DWORD_COUNTER_STAT(Description, Id, Group) \
	static const FDouble::FCounter Id{"stat", #Id, Description, Group, true}
#define SET_FLOAT_STAT(Id, Value) Id.Set(static_cast<double>(Value))
#define SET_DWORD_STAT(Id, Value) Id.Set(static_cast<double>(Value))
#define INC_DWORD_STAT_BY(Id, Value) Id.Add(static_cast<double>(Value))
