// The state that the worlds read and set. The plugin does not include this header.
#pragma once

#include <map>

#include "CoreMinimal.h"

class UClass;

/** Generates random numbers (splitmix64). The seed makes each run reproducible. */
struct FDice
{
	uint64 State = 0;
	uint64 Next()
	{
		State += 0x9E3779B97F4A7C15ull;
		uint64 Z = State;
		Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9ull;
		Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBull;
		return Z ^ (Z >> 31);
	}
	double Fraction() { return static_cast<double>(Next() >> 11) / 9007199254740992.0; }
	double Exponential(double Mean) { return -Mean * std::log(1.0 - Fraction()); }
};

/** The monotonic clock of a machine. At() converts a true time to a reading, both in seconds. */
struct FMachineClock
{
	double Origin = 0;
	double Ppm = 0;
	double At(double True) const { return Origin + True * (1.0 + Ppm * 1e-6); }
};

namespace FDouble
{
	struct FDisk
	{
		std::map<std::string, std::vector<uint8>> Files;
		int32 Writes = 0;
		bool bFull = false;
	};

	struct FState
	{
		/** True time in seconds since the scenario began. */
		double Now = 0;
		/** UTC when the scenario began, in ticks since 1970. */
		int64 UtcTicks = 17954880000000000;
		/** Clock of the machine whose frame is running. */
		FMachineClock Clock;
		std::string Address;
		std::shared_ptr<FDisk> Disk;
		FDice Dice;
		std::vector<std::string> Displayed;
		int32 Warnings = 0;
		int32 Errors = 0;
		bool bVerbose = false;
		std::string SavedDir = ".";
		size_t DiskBytes = SIZE_MAX;
		/** World subsystems of plugins that are not enabled in the project. */
		std::vector<const UClass*> LeftOut;
		bool bLibraryThere = false;
		bool bLibraryFreed = false;
		/** Set if a world keeps its net mode when it ends. */
		bool bKeepsNetMode = false;
		std::vector<std::unique_ptr<UObject>> Objects;
	};
	extern FState State;
}
