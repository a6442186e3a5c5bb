// Scenarios run worlds and check guarantees. SCENARIO registers one.
#pragma once

#include "Report.h"

/** Programs that run a scenario. */
enum class EScenario
{
	Always,
	/** Runs only in builds with the link, because the tested code is the same without it. */
	Once,
	/** Runs only in the build with the link for the newest engine. This suits long scenarios that do not
	   depend on the engine's version. */
	Long,
	/** Runs only in development builds, because it needs automation tests, logs or tools. */
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

/** Registers a scenario with a server and a client. The arguments construct an `FDuo` named `Session`, whose
   client is `Peer`. */
#define DUO(Name, Which, ...) \
	static void Name(FDuo& Session, FPeer& Peer); \
	static const FScenario Scenario##Name{#Name, EScenario::Which, [](uint64 Seed) \
	{ FDuo Session(__VA_ARGS__); Name(Session, Session.Peer); }}; \
	static void Name([[maybe_unused]] FDuo& Session, FPeer& Peer)

namespace Scenarios
{
	/** Returns a path with this lag and jitter in each direction. */
	FLink Link(double LagMs = 25, double JitterMs = 4, double Loss = 0.01, double Duplicates = 0.01);
	FMachineSettings At(double Fps = 60, double Ppm = -15, double Origin = 300);

	/** A server and a client that joins immediately. Their crystals differ by 25 ppm. */
	struct FDuo : FSession
	{
		explicit FDuo(uint64 Seed, FLink Path = Link(), ENetMode Mode = NM_DedicatedServer,
			FMachineSettings Client = At(), FMachineSettings Host = At(60, 10, 5000)) :
			FSession(Host, Mode, Seed), Peer(Join(Client, Path))
		{
		}
		FPeer& Peer;
	};

	/** Sets a project's DefaultGame.ini for the lifetime of this object. */
	struct FProject
	{
		explicit FProject(const std::string& Lines, const std::string& Page = "NetClock.NetClockSettings")
		{
			FDouble::LoadIni("[/Script/" + Page + "]\n" + Lines + "\n");
		}
		~FProject() { FDouble::LoadIni(""); }
	};

	/** Returns the number of discontinuities with this cause at a client. */
	int32 CountCause(const FPeer& Peer, ENetClockCause Cause);

	/** Return a console command's output, and whether that of `NetClock.Status` contains a text. */
	std::string Console(const FMachine& Machine, const std::string& Command);
	bool StatusHas(const FMachine& Machine, const std::string& Part);

	inline bool Has(const std::string& Text, const std::string& Part)
	{
		return Text.find(Part) != std::string::npos;
	}

	/** Returns the number of subsystems that follow the frames of their world. */
	inline size_t Followed() { return FWorldDelegates::OnWorldPreActorTick.CountBound(); }

	/** Returns a request that a modified client could send. */
	FDoubleRpc Probe(int64 Id, int64 Ticks);

	/** Runs in builds without the library. */
	void WithoutLibrary(uint64 Seed);
	/** Runs last, because it shuts down the modules while a clock exists. */
	void ModuleEnd(uint64 Seed);
}
