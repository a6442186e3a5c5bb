// A scenario runs a simulated world and checks guarantees. The macro SCENARIO registers a scenario.
#pragma once

#include "Report.h"

enum class EScenario
{
	Always,
	/** Runs only in builds with the link, because the tested code is the same in other builds. */
	Once,
	/** Runs only in builds with the link for the newest engine, because long scenarios do not depend on the
	 * version. */
	Long,
	/** Runs only in development builds, because the scenario uses automation tests, logs or tools. */
	Tools
};

struct FScenario
{
	static auto& All() { return FDouble::Only<std::map<std::string, const FScenario*>>(); }
	FScenario(const char* Name, EScenario InWhich, void (*InRun)(uint64)) : Which(InWhich), Run(InRun)
	{
		All()[Name] = this;
	}

	EScenario Which;
	void (*Run)(uint64);
};

#define SCENARIO(Name, Which) \
	static void Name(uint64 Seed); \
	static const FScenario Scenario##Name{#Name, EScenario::Which, Name}; \
	static void Name([[maybe_unused]] uint64 Seed)

/** A scenario with a server and a client. The arguments construct the `FDuo` `Session`. */
#define DUO(Name, Which, ...) \
	static void Name(FDuo& Session, FPeer& Peer); \
	static const FScenario Scenario##Name{#Name, EScenario::Which, [](uint64 Seed) \
	{ FDuo Session(__VA_ARGS__); Name(Session, Session.Peer); }}; \
	static void Name([[maybe_unused]] FDuo& Session, FPeer& Peer)

namespace Scenarios
{
	FLink Link(double LagMs = 25, double JitterMs = 4, double Loss = 0.01, double Duplicates = 0.01);
	FMachineSettings At(double Fps = 60, double Ppm = -15, double Origin = 300);

	/** A session with a client that joins the server immediately. The crystals of the server and the client
	 * differ by 25 ppm. */
	struct FDuo : FSession
	{
		explicit FDuo(uint64 Seed, FLink Path = Link(), ENetMode Mode = NM_DedicatedServer,
			FMachineSettings Client = At(), FMachineSettings Host = At(60, 10, 5000)) :
			FSession(Host, Mode, Seed), Peer(Join(Client, Path))
		{
		}
		FPeer& Peer;
	};

	/** The project's DefaultGame.ini contains these lines as long as this object exists. */
	struct FProject
	{
		explicit FProject(const std::string& Lines, const std::string& Page = "NetClock.NetClockSettings")
		{
			FDouble::LoadIni("[/Script/" + Page + "]\n" + Lines + "\n");
		}
		~FProject() { FDouble::LoadIni(""); }
	};

	int32 CountCause(const FPeer& Peer, ENetClockCause Cause);

	std::string Console(const FMachine& Machine, const std::string& Command);
	bool StatusHas(const FMachine& Machine, const std::string& Part);

	inline bool Has(const std::string& Text, const std::string& Part)
	{
		return Text.find(Part) != std::string::npos;
	}

	inline size_t Followed() { return FWorldDelegates::OnWorldPreActorTick.CountBound(); }

	/** A modified client could send this request. */
	FDoubleRpc Probe(int64 Id, int64 Ticks);

	/** Carries a request and its reply with the nodes for a game's own transport. Returns true if the reply
	 * is accepted. */
	bool ExchangeOverOwnTransport(const FMachine& Client, const FMachine& Server, double WaySeconds);

	void WithoutLibrary(uint64 Seed);
	/** Must run last, because it shuts the modules down while a clock exists. */
	void ModuleEnd(uint64 Seed);
}
