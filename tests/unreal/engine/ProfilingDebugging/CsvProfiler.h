#pragma once

#include "Double/Counters.h"

enum class ECsvCustomStatOp : uint8 { Set, Min, Max, Accumulate };

#define CSV_DEFINE_CATEGORY(Category, bEnabled) \
	static_assert(bEnabled, #Category); \
	[[maybe_unused]] static const TCHAR* const DoubleCsv##Category = TEXT(#Category)
#define CSV_CUSTOM_STAT(Category, Name, Value, Op) \
	do \
	{ \
		static double& Counted = FDouble::Csv(DoubleCsv##Category, #Name); \
		Counted = static_cast<double>(Value) + (Op == ECsvCustomStatOp::Accumulate ? Counted : 0.0); \
	} while (false)
