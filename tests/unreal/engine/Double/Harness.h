// The engine double: what the worlds of the test hold in their hands. No plugin includes this.
#pragma once

#include <map>

#include "CoreMinimal.h"

class UClass;

/** Random numbers (splitmix64) from a seed, so that every run repeats. */
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
	/** Uniform in 0..1. */
	double Fraction() { return static_cast<double>(Next() >> 11) / 9007199254740992.0; }
	/** Exponential, of that mean. */
	double Exponential(double Mean) { return -Mean * std::log(1.0 - Fraction()); }
};

/** A machine's monotonic clock: what it shows at a true time in seconds. */
struct FMachineClock
{
	double Origin = 0;
	double Ppm = 0;
	double At(double True) const { return Origin + True * (1.0 + Ppm * 1e-6); }
};

namespace FDouble
{
	/** What is on a machine's disk, beside the files that the tools write. It outlives the game. */
	struct FDisk
	{
		std::map<std::string, std::vector<uint8>> Files;
		int32 Writes = 0;
		bool bFull = false;
	};

	struct FState
	{
		/** True time, in seconds since the scenario began. */
		double Now = 0;
		/** UTC when the scenario began, in ticks since 1970. Somebody may set it. */
		int64 UtcTicks = 17954880000000000;
		/** Of the machine whose frame is running. */
		FMachineClock Clock;
		/** Its IP address. */
		std::string Address;
		std::shared_ptr<FDisk> Disk;
		FDice Dice;
		/** What was displayed, without warnings and errors. */
		std::vector<std::string> Displayed;
		int32 Warnings = 0;
		int32 Errors = 0;
		bool bVerbose = false;
		/** Of the project: where the tools write. */
		std::string SavedDir = ".";
		/** From so many bytes on the disk is full. */
		size_t DiskBytes = SIZE_MAX;
		/** Subsystems of plugins that the project does not use. */
		std::vector<const UClass*> LeftOut;
		/** A library that a module loads by itself is found; it was freed. Nothing may call it after that. */
		bool bLibraryThere = false;
		bool bLibraryFreed = false;
		/** A world that ends still says that it is a client's or a server's. */
		bool bKeepsNetMode = false;
		std::vector<std::unique_ptr<UObject>> Objects;
	};
	extern FState State;
}
