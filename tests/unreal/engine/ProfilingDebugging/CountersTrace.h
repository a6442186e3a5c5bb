#pragma once

#include "Double/Counters.h"

#define TRACE_DECLARE_INT_COUNTER(Id, Name) \
	static const FDouble::FCounter DoubleTrace##Id{"trace", #Id, Name, TEXT("trace"), false}
#define TRACE_DECLARE_FLOAT_COUNTER(Id, Name) \
	static const FDouble::FCounter DoubleTrace##Id{"trace", #Id, Name, TEXT("trace"), false}
#define TRACE_COUNTER_SET(Id, Value) DoubleTrace##Id.Set(static_cast<double>(Value))
