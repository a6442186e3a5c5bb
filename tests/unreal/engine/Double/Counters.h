// Tests read the values of the three kinds of counters here.
#pragma once

#include <unordered_map>

#include "Double/Containers.h"

namespace FDouble
{
	/** Each key is a kind and a name, such as "stat STAT_Name", "csv Category/Name" or "trace Name". */
	inline auto& Counters() { return Only<std::unordered_map<std::string, double>>(); }

	void BeginCounting();

	/** Ends the program if there already is a counter of the same kind and name. */
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
