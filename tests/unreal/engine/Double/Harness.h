// The state that the worlds read and set. The plugin does not include this header.
#pragma once

#include <map>

#include "CoreMinimal.h"

class UClass;

/** A random number generator (splitmix64). Its seed makes each run reproducible. */
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
	/** Returns a uniform number between 0 and 1. */
	double Fraction() { return static_cast<double>(Next() >> 11) / 9007199254740992.0; }
	/** Returns an exponentially distributed number with this mean. */
	double Exponential(double Mean) { return -Mean * std::log(1.0 - Fraction()); }
};

/** A machine's monotonic clock. At() returns its reading at a true time, both in seconds. */
struct FMachineClock
{
	double Origin = 0;
	double Ppm = 0;
	double At(double True) const { return Origin + True * (1.0 + Ppm * 1e-6); }
};

namespace FDouble
{
	/** A machine's disk, without the files that the tools write. It persists when the game ends. */
	struct FDisk
	{
		std::map<std::string, std::vector<uint8>> Files;
		int32 Writes = 0;
		bool bFull = false;
	};

	struct FState
	{
		/** True time in seconds since the start of the scenario. */
		double Now = 0;
		/** UTC at the start of the scenario, in ticks since 1970. Scenarios may change it later. */
		int64 UtcTicks = 17954880000000000;
		/** The clock of the machine whose frame is running. */
		FMachineClock Clock;
		/** The IP address of that machine. */
		std::string Address;
		std::shared_ptr<FDisk> Disk;
		FDice Dice;
		/** Log lines of verbosity Display. */
		std::vector<std::string> Displayed;
		int32 Warnings = 0;
		int32 Errors = 0;
		bool bVerbose = false;
		/** Project directory to which the tools write. */
		std::string SavedDir = ".";
		/** Size of the disk, in bytes. */
		size_t DiskBytes = SIZE_MAX;
		/** World subsystems of plugins that the project has not enabled. */
		std::vector<const UClass*> LeftOut;
		/** Whether a library that a module loads explicitly is found, and whether it was unloaded and must
		   not be called. */
		bool bLibraryThere = false;
		bool bLibraryFreed = false;
		/** Whether a world keeps its net mode when it ends. */
		bool bKeepsNetMode = false;
		std::vector<std::unique_ptr<UObject>> Objects;
	};
	extern FState State;
}
