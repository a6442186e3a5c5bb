// The arguments are the seed, the project's Saved folder, a mode, and a part of the scenarios' names. In the
// mode `found`, the module finds its library. The mode `log` prints the log.
#include <cstdlib>
#include <cstring>

#include "NetClock/Base/NetClockBase.h"
#include "Modules/ModuleManager.h"
#include "NetClockEffects.h"
#include "Scenarios.h"

static int End(uint64 Seed)
{
	// When the engine exits, it collects the last objects after it has shut down their modules.
	if (NetClock::IsLibraryUsable()) { Scenarios::ModuleEnd(Seed); }
	else { for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); } }
	FDouble::CollectAll();
	Report::Scenario = "end";
	if (Report::Failures) { std::printf("%d failures\n", Report::Failures); }
	else { std::printf("all promises kept\n"); }
	return Report::Failures ? 1 : 0;
}

static bool Runs(EScenario Which)
{
	constexpr bool bLink = WITH_NETCLOCK_LINK != 0, bShipped = UE_BUILD_SHIPPING != 0;
	switch (Which)
	{
	case EScenario::Once: return bLink;
	case EScenario::Long: return bLink && ENGINE_MINOR_VERSION > 6;
	case EScenario::Tools: return !bShipped;
	default: return true;
	}
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
	for (const auto& [Name, Scenario] : FScenario::All())
	{
		if (Count > 4 ? !std::strstr(Name.c_str(), Arguments[4]) : !Runs(Scenario->Which)) { continue; }
		FDouble::CollectAll();
		Report::Scenario = Name;
		Scenario->Run(Seed);
	}
	return End(Seed);
}
