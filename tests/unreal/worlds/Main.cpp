// The scenarios. The arguments are the seed, the folder that stands for the project's Saved, and anything for the log.
#include <cstdlib>

#include "GameplayDebugger.h"
#include "Modules/ModuleManager.h"
#include "Report.h"
#include "Scenarios.h"

int main(int Count, char** Arguments)
{
	const uint64 Seed = Count > 1 ? std::strtoull(Arguments[1], nullptr, 10) : 1;
	FDouble::State.SavedDir = Count > 2 ? Arguments[2] : ".";
	FDouble::State.bVerbose = Count > 3;
	std::printf("engine %d.%d, seed %llu\n", ENGINE_MAJOR_VERSION, ENGINE_MINOR_VERSION, Seed);
	for (IModuleInterface* Module : FDouble::Modules()) { Module->StartupModule(); }
#if WITH_NETCLOCK_LIBRARY && !PLATFORM_WINDOWS
	Report::Head();
	Scenarios::Dedicated(Seed, 0.01);
	Scenarios::Dedicated(Seed, 0.10);
	Scenarios::Listen(Seed, 0.01);
	Scenarios::Listen(Seed, 0.10);
	Scenarios::StartDedicated(Seed, 0.01);
	Scenarios::StartDedicated(Seed, 0.10);
	Scenarios::Incommensurate(Seed);
	Scenarios::Locked(Seed);
	const auto Each = {Scenarios::Automation, Scenarios::LibraryClock, Scenarios::LateJoin, Scenarios::Reconnect, Scenarios::ServerRestart, Scenarios::SeamlessTravel,
		Scenarios::Standalone, Scenarios::PlayInEditor, Scenarios::SplitScreen, Scenarios::HardTravel, Scenarios::HostLeaves, Scenarios::FirstPlayerWithout,
		Scenarios::MigrationGoesOn, Scenarios::MigrationAsksPlayers, Scenarios::MigrationRefused, Scenarios::MigrationOfFleet, Scenarios::PeersAtRelay, Scenarios::PeersBadInput,
		Scenarios::Suspend, Scenarios::OtherGameState, Scenarios::QueuedCalls, Scenarios::WaitReached,
		Scenarios::WaitThroughTrouble, Scenarios::WaitEnds, Scenarios::WaitOrder, Scenarios::WaitNode,
		Scenarios::StartListen, Scenarios::StartAlone, Scenarios::StartHeldUp, Scenarios::StartCheats, Scenarios::StartTravel,
		Scenarios::PredictionLead, Scenarios::EventOrder, Scenarios::RewindTime, Scenarios::LatencyChange,
		Scenarios::AnimatedDilation, Scenarios::HundredPauses, Scenarios::Hitches, Scenarios::OtherClocks, Scenarios::Effects,
		Scenarios::Projectiles, Scenarios::LongLivedServer, Scenarios::Replay, Scenarios::Flood,
		Scenarios::Nonsense, Scenarios::Ownership, Scenarios::OwnTransport, Scenarios::SpeedHacks, Scenarios::Settings, Scenarios::Recording, Scenarios::Status, Scenarios::Counters,
		Scenarios::Graph, Scenarios::Debugger};
	for (const auto Scenario : Each)
	{
		FDouble::CollectAll();
		Scenario(Seed);
	}
#else
	Scenarios::WithoutLibrary(Seed);
#endif
	for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); }
	Report::Expect(IGameplayDebugger::Get().Known.empty(), "debugger", "the category is gone with the module");
	std::printf(Report::Failures ? "%d failures\n" : "all promises kept\n", Report::Failures);
	return Report::Failures ? 1 : 0;
}
