// The scenarios. The argument is the seed.
#include <cstdlib>

#include "Modules/ModuleManager.h"
#include "Report.h"
#include "Scenarios.h"

int main(int Count, char** Arguments)
{
	const uint64 Seed = Count > 1 ? std::strtoull(Arguments[1], nullptr, 10) : 1;
	FDouble::State.bVerbose = Count > 2;
	std::printf("engine %d.%d, seed %llu\n", ENGINE_MAJOR_VERSION, ENGINE_MINOR_VERSION, Seed);
	for (IModuleInterface* Module : FDouble::Modules()) { Module->StartupModule(); }
#if WITH_NETCLOCK_LIBRARY
	Report::Head();
	Scenarios::Dedicated(Seed, 0.01);
	Scenarios::Dedicated(Seed, 0.10);
	Scenarios::Listen(Seed, 0.01);
	Scenarios::Listen(Seed, 0.10);
	Scenarios::Incommensurate(Seed);
	Scenarios::Locked(Seed);
#else
	Scenarios::WithoutLibrary(Seed);
#endif
	for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); }
	std::printf(Report::Failures ? "%d failures\n" : "all promises kept\n", Report::Failures);
	return Report::Failures ? 1 : 0;
}
