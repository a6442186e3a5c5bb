// The values of the three kinds of counters, for tests.
#pragma once

#include <unordered_map>

#include "CoreTypes.h"

namespace FDouble
{
	/** All counters by kind and name, such as "stat STAT_Name", "csv Category/Name" or "trace Name". */
	std::unordered_map<std::string, double>& Counters();

	/** Starts a process frame. This resets all per-frame counters. */
	void BeginCounting();

	/** A counter. Creating a second one of the same kind and name ends the program. */
	class FCounter
	{
	public:
		FCounter(
			const char* Kind, const char* Id, const TCHAR* Description, const TCHAR* Group, bool bOfFrame);
		void Set(double Value) const { Counted = Value; }
		void Add(double Value) const { Counted += Value; }

	private:
		double& Counted;
	};

	double& Csv(const TCHAR* Category, const char* Name);
}
