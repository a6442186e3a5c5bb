// The scenarios: each runs worlds and expects. One is known by being written.
#pragma once

#include "Report.h"

/** Which programs run a scenario. */
enum class EScenario
{
	Always,
	/** It judges what is compiled once for builds with and without the link. */
	Once,
	/** A long one, of what no version of the engine changes either: real time. */
	Long,
	/** What is shipped has no automation tests, no log and no tools. */
	Tools
};

struct FScenario
{
	FScenario(const char* Name, EScenario InWhich, void (*InRun)(uint64)) : Which(InWhich), Run(InRun)
	{
		All()[Name] = this;
	}
	/** By their names. */
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
	/** A link with that lag and jitter each way. */
	FLink Link(double LagMs, double JitterMs, double Loss, double Duplicates);
	FMachineSettings At(double Fps, double Ppm, double Origin);

	/** The worlds of the tables, without the link and with it: four links, and four frame rates. */
	std::unique_ptr<FSession> FourLinks(uint64 Seed, double Loss);
	std::unique_ptr<FSession> FourRates(uint64 Seed, double Loss);
	/** Two machines with exact frames. */
	std::unique_ptr<FSession> Exact(uint64 Seed, double ServerFps, double ClientFps, double Loss);

	/** All that a command says on a machine, and whether that is in its `NetClock.Status`. */
	std::string Console(const FMachine& Machine, const std::string& Command);
	bool StatusHas(const FMachine& Machine, const std::string& Part);

	/** What a changed client can send: any probe, whenever it likes. */
	FDoubleRpc Probe(int64 Id, int64 Ticks);

	/** Of a build without the library. */
	void WithoutLibrary(uint64 Seed);
	/** The last of all: ends the modules while a clock is alive. */
	void ModuleEnd(uint64 Seed);
}
