// Starts some of the plugin's modules, runs the automation tests that need only one machine, and shuts down.
#include <cstdio>

#include "CoreMinimal.h"
#include "Double/Harness.h"
#include "Double/Objects.h"
#include "Misc/AutomationTest.h"
#include "Modules/ModuleManager.h"

int main()
{
	for (IModuleInterface* Module : FDouble::Modules()) { Module->StartupModule(); }
	int Failures = 0;
	for (FAutomationTestBase* Test : FAutomationTestBase::All())
	{
		// This program has no simulated machines, so it skips play sessions in the editor.
		if (std::string(Test->Name).find("PlayInEditor") != std::string::npos) { continue; }
		Test->RunTest(FString());
		for (const FString& Error : Test->Errors)
		{
			++Failures;
			std::printf("FAILED %s: %s\n", Test->Name, FDouble::Narrow(*Error).c_str());
		}
		std::printf("%s: %d expectations\n", Test->Name, Test->Expectations);
		Failures += Test->Expectations == 0 ? 1 : 0;
	}
	for (IModuleInterface* Module : FDouble::Modules()) { Module->ShutdownModule(); }
	FDouble::CollectAll();
	return Failures == 0 ? 0 : 1;
}
