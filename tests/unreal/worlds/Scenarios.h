// Scenarios run worlds and check promises. SCENARIO registers a scenario.
#pragma once

#include "Report.h"

/** Selects the programs that run a scenario. */
enum class EScenario
{
	Always,
	/** Only in builds with the link, because the tested code is the same without it. */
	Once,
	/** Only in the build with the link for the newest engine: a long scenario in which no engine version
	 * matters. */
	Long,
	/** Only in builds that are not shipped, because it needs automation tests, logs or tools. */
	Tools
};

struct FScenario
{
	FScenario(const char* Name, EScenario InWhich, void (*InRun)(uint64)) : Which(InWhich), Run(InRun)
	{
		All()[Name] = this;
	}
	/** All scenarios, by name. */
	static std::map<std::string, const FScenario*>& All()
	{
		static std::map<std::string, const FScenario*> Each;
		return Each;
	}

	EScenario Which;
	void (*Run)(uint64);
};

#define SCENARIO(Name, Which) \
	static void Name(uint64 Seed); \
	static const FScenario Scenario##Name{#Name, EScenario::Which, Name}; \
	static void Name([[maybe_unused]] uint64 Seed)

namespace Scenarios
{
	/** Returns a path with this lag and jitter in each direction. */
	FLink Link(double LagMs, double JitterMs, double Loss, double Duplicates);
	FMachineSettings At(double Fps, double Ppm, double Origin);

	/** The worlds of the tables: four paths, and four frame rates. */
	std::unique_ptr<FSession> FourLinks(uint64 Seed, double Loss);
	std::unique_ptr<FSession> FourRates(uint64 Seed, double Loss);
	/** Two machines whose frames are never late. */
	std::unique_ptr<FSession> Exact(uint64 Seed, double ServerFps, double ClientFps, double Loss);

	/** Returns the output of a console command, and whether `NetClock.Status` contains a text. */
	std::string Console(const FMachine& Machine, const std::string& Command);
	bool StatusHas(const FMachine& Machine, const std::string& Part);

	/** Returns a request that a modified client could send. */
	FDoubleRpc Probe(int64 Id, int64 Ticks);

	/** Runs in builds without the library. */
	void WithoutLibrary(uint64 Seed);
	/** Runs last: it shuts down the modules while a clock exists. */
	void ModuleEnd(uint64 Seed);
}
