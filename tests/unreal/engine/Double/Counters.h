// The engine double: what the three ways of counting have written, for tests to read.
#pragma once

#include <unordered_map>

#include "CoreTypes.h"

namespace FDouble
{
	/** By kind and name, as "stat STAT_Name", "csv Category/Name", "trace Name". */
	std::unordered_map<std::string, double>& Counters();

	/** The process begins a frame: what is counted by frames begins with 0. */
	void BeginCounting();

	/** A counter with a name of its own; two of one kind and name end the program. */
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
