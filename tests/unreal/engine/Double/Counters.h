// Tests read the values of the three kinds of counters here.
#pragma once

#include <unordered_map>

#include "CoreTypes.h"

namespace FDouble
{
	/** The keys are kind and name, such as "stat STAT_Name", "csv Category/Name" or "trace Name". */
	std::unordered_map<std::string, double>& Counters();

	void BeginCounting();

	/** The program ends if another counter of the same kind has the same name. */
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
