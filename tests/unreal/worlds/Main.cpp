// The scenarios. The arguments are the seed, the folder that stands for the project's Saved, `found` for the
// library that the module looks for or `log` for the log, and a part of the name of the only ones to run.
#include <cstdlib>
#include <cstring>

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
	Report::Scenario = "end";
	Expect(IGameplayDebugger::Get().Known.empty(), "the category is gone with the module");
	if (Report::Failures) { std::printf("%d failures\n", Report::Failures); }
	else { std::printf("all promises kept\n"); }
	return Report::Failures ? 1 : 0;
}

int main(int Count, char** Arguments)
{
	const uint64 Seed = Count > 1 ? std::strtoull(Arguments[1], nullptr, 10) : 1;
	FDouble::State.SavedDir = Count > 2 ? Arguments[2] : ".";
	const bool bFound = Count > 3 && std::string(Arguments[3]) == "found";
	FDouble::State.bLibraryThere = bFound;
	FDouble::State.bVerbose = Count > 3 && std::string(Arguments[3]) == "log";
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
#define SCENARIO(Name) {#Name, Scenarios::Name}
#define TABLE(Name) {#Name, [](uint64 It) { Scenarios::Name(It, 0.01); Scenarios::Name(It, 0.10); }}
	const struct { const char* Name; void (*Run)(uint64); } Each[] = {
		TABLE(Dedicated),
		TABLE(Listen),
#if WITH_NETCLOCK_LINK
		// The long ones that judge what is compiled once for builds with and without the link.
		TABLE(StartDedicated),
		SCENARIO(Incommensurate),
		SCENARIO(Locked),
		SCENARIO(Memory),
		SCENARIO(PredictionLead),
		SCENARIO(LatencyChange),
		SCENARIO(SpeedHacks),
		TABLE(LinkTable),
#endif
		SCENARIO(LibraryClock),
		SCENARIO(LateJoin),
		SCENARIO(ServerRestart),
		SCENARIO(SeamlessTravel),
		SCENARIO(Standalone),
		SCENARIO(PlayInEditor),
		SCENARIO(HardTravel),
		SCENARIO(HostLeaves),
		SCENARIO(FirstPlayerWithout),
#if WITH_NETCLOCK_PEERS
		SCENARIO(MigrationGoesOn),
		SCENARIO(MigrationAsksPlayers),
		SCENARIO(MigrationRefused),
		SCENARIO(MigrationOfFleet),
		SCENARIO(PeersAtRelay),
		SCENARIO(PeersBadInput),
#endif
		SCENARIO(Suspend),
		SCENARIO(OtherGameState),
		SCENARIO(QueuedCalls),
		SCENARIO(StalledServer),
		SCENARIO(BriefStall),
		SCENARIO(ServerWithoutClock),
		SCENARIO(WaitReached),
		SCENARIO(WaitThroughTrouble),
		SCENARIO(WaitEnds),
		SCENARIO(WaitOrder),
		SCENARIO(WaitNode),
		SCENARIO(StartListen),
		SCENARIO(StartAlone),
		SCENARIO(StartHeldUp),
		SCENARIO(StartCheats),
		SCENARIO(StartTravel),
		SCENARIO(EventOrder),
		SCENARIO(RewindTime),
		SCENARIO(AnimatedDilation),
		SCENARIO(OtherClocks),
#if WITH_NETCLOCK_LINK
		SCENARIO(LinkTraffic),
		SCENARIO(LinkLives),
		SCENARIO(LinkHosts),
		SCENARIO(LinkListen),
		SCENARIO(LinkSplitScreen),
		SCENARIO(LinkKey),
		SCENARIO(LinkNews),
#endif
		SCENARIO(Projectiles),
		SCENARIO(LongLivedServer),
		SCENARIO(Replay),
		SCENARIO(GameplayEffects),
		SCENARIO(Sample),
		SCENARIO(Flood),
		SCENARIO(Nonsense),
		SCENARIO(OwnTransport),
		SCENARIO(Status),
#if !UE_BUILD_SHIPPING
		// What is shipped has no automation tests, no log and no tools.
#if WITH_NETCLOCK_LINK
		SCENARIO(LinkFallsBack),
		SCENARIO(LinkIsNotPossible),
		SCENARIO(LinkPorts),
#endif
		SCENARIO(ComponentElsewhere),
		SCENARIO(Automation),
		SCENARIO(Ownership),
		SCENARIO(Settings),
		SCENARIO(Recording),
		SCENARIO(Counters),
		SCENARIO(FirstSync),
		SCENARIO(Graph),
		SCENARIO(Debugger),
#endif
	};
	for (const auto& Scenario : Each)
	{
		if (Count > 4 && !std::strstr(Scenario.Name, Arguments[4])) { continue; }
		FDouble::CollectAll();
		Report::Scenario = Scenario.Name;
		Scenario.Run(Seed);
	}
	return End(Seed);
}
