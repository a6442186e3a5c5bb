// The engine double: columns of the CSV profiler, of one frame.
#pragma once

#include "Double/Counters.h"

enum class ECsvCustomStatOp : uint8 { Set, Min, Max, Accumulate };

#define CSV_DEFINE_CATEGORY(Category, bEnabled) \
	[[maybe_unused]] static const TCHAR* const DoubleCsv##Category = bEnabled ? TEXT(#Category) : nullptr
#define CSV_CUSTOM_STAT(Category, Name, Value, Op) \
	FDouble::Csv(DoubleCsv##Category, #Name, static_cast<double>(Value), Op == ECsvCustomStatOp::Accumulate)
