// The scenarios. The arguments are the seed, the folder that stands for the project's Saved, and anything for
// the log.
#include <cstdlib>

#include "GameplayDebugger.h"
#include "NetClock/Base/NetClockBase.h"
#include "Modules/ModuleManager.h"
#include "NetClockEffects.h"
#include "Report.h"
#include "Scenarios.h"
#include "link/Links.h"

static int End(uint64 Seed)
{
	// Objects outlive their modules: the engine collects the last ones when it ends.
	if (NetClock::IsLibraryUsable()) { Scenarios::ModuleEnd(Seed); }
	else { for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); } }
	FDouble::CollectAll();
	Report::Expect(
		IGameplayDebugger::Get().Known.empty(), "debugger", "the category is gone with the module");
	if (Report::Failures) { std::printf("%d failures\n", Report::Failures); }
	else { std::printf("all promises kept\n"); }
	return Report::Failures ? 1 : 0;
}

int main(int Count, char** Arguments)
{
	const uint64 Seed = Count > 1 ? std::strtoull(Arguments[1], nullptr, 10) : 1;
	FDouble::State.SavedDir = Count > 2 ? Arguments[2] : ".";
	// The third: `found`, for the library that the module looks for, or anything else for the log.
	const bool bFound = Count > 3 && std::string(Arguments[3]) == "found";
	FDouble::State.bLibraryThere = bFound;
	FDouble::State.bVerbose = Count > 3 && !bFound;
	std::printf("engine %d.%d, seed %llu\n", ENGINE_MAJOR_VERSION, ENGINE_MINOR_VERSION, Seed);
	for (IModuleInterface* Module : FDouble::Modules()) { Module->StartupModule(); }
	if (!NetClock::IsLibraryUsable())
	{
		Scenarios::WithoutLibrary(Seed);
		return End(Seed);
	}
	if (bFound) { return End(Seed); }
	FDouble::State.LeftOut = {UNetClockEffects::StaticClass()};
	Report::Head();
	Scenarios::Dedicated(Seed, 0.01);
	Scenarios::Dedicated(Seed, 0.10);
	Scenarios::Listen(Seed, 0.01);
	Scenarios::Listen(Seed, 0.10);
	Scenarios::StartDedicated(Seed, 0.01);
	Scenarios::StartDedicated(Seed, 0.10);
	Scenarios::Incommensurate(Seed);
	Scenarios::Locked(Seed);
#if WITH_NETCLOCK_LINK
	Scenarios::LinkTable(Seed, 0.01);
	Scenarios::LinkTable(Seed, 0.10);
#endif
	const std::initializer_list<void (*)(uint64)> Each = {
		Scenarios::LibraryClock,
		Scenarios::LateJoin,
		Scenarios::Reconnect,
		Scenarios::ServerRestart,
		Scenarios::SeamlessTravel,
		Scenarios::Memory,
		Scenarios::Standalone,
		Scenarios::PlayInEditor,
		Scenarios::SplitScreen,
		Scenarios::HardTravel,
		Scenarios::HostLeaves,
		Scenarios::FirstPlayerWithout,
#if WITH_NETCLOCK_PEERS
		Scenarios::MigrationGoesOn,
		Scenarios::MigrationAsksPlayers,
		Scenarios::MigrationRefused,
		Scenarios::MigrationOfFleet,
		Scenarios::PeersAtRelay,
		Scenarios::PeersBadInput,
#endif
		Scenarios::Suspend,
		Scenarios::OtherGameState,
		Scenarios::QueuedCalls,
		Scenarios::StalledServer,
		Scenarios::BriefStall,
		Scenarios::ServerWithoutClock,
		Scenarios::WaitReached,
		Scenarios::WaitThroughTrouble,
		Scenarios::WaitEnds,
		Scenarios::WaitOrder,
		Scenarios::WaitNode,
		Scenarios::StartListen,
		Scenarios::StartAlone,
		Scenarios::StartHeldUp,
		Scenarios::StartCheats,
		Scenarios::StartTravel,
		Scenarios::PredictionLead,
		Scenarios::EventOrder,
		Scenarios::RewindTime,
		Scenarios::LatencyChange,
		Scenarios::AnimatedDilation,
		Scenarios::OtherClocks,
#if WITH_NETCLOCK_LINK
		Scenarios::LinkTraffic,
		Scenarios::LinkLives,
		Scenarios::LinkHosts,
		Scenarios::LinkListen,
		Scenarios::LinkSplitScreen,
		Scenarios::LinkKey,
		Scenarios::LinkNews,
#endif
		Scenarios::Projectiles,
		Scenarios::LongLivedServer,
		Scenarios::Replay,
		Scenarios::GameplayEffects,
		Scenarios::Sample,
		Scenarios::Flood,
		Scenarios::Nonsense,
		Scenarios::OwnTransport,
		Scenarios::SpeedHacks,
		Scenarios::Status,
#if !UE_BUILD_SHIPPING
		// What is shipped has no automation tests, no log and no tools.
#if WITH_NETCLOCK_LINK
		Scenarios::LinkFallsBack,
		Scenarios::LinkIsNotPossible,
		Scenarios::LinkPorts,
#endif
		Scenarios::ComponentElsewhere,
		Scenarios::Automation,
		Scenarios::Ownership,
		Scenarios::Settings,
		Scenarios::Recording,
		Scenarios::Counters,
		Scenarios::FirstSync,
		Scenarios::Graph,
		Scenarios::Debugger,
#endif
	};
	for (const auto Scenario : Each)
	{
		FDouble::CollectAll();
		Scenario(Seed);
	}
	return End(Seed);
}
