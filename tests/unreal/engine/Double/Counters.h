// Values of the three kinds of counters, for tests.
#pragma once

#include <unordered_map>

#include "CoreTypes.h"

namespace FDouble
{
	/** All counters by kind and name: "stat STAT_Name", "csv Category/Name", "trace Name". */
	std::unordered_map<std::string, double>& Counters();

	/** Starts a frame of the process. This resets all counters that are counted per frame. */
	void BeginCounting();

	/** A counter. A second one with the same kind and name ends the program. */
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
