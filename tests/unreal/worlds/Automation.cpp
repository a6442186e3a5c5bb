// An editor that runs the plugin's automation tests and their play sessions. All worlds share one clock.
#include "Editor.h"
#include "Misc/AutomationTest.h"
#include "Scenarios.h"

namespace Scenarios
{
	struct FPlaying
	{
		std::unique_ptr<FSession> Session;
		uint64 Seed = 0;

		void Begin(const ULevelEditorPlaySettings& Settings)
		{
			check(Settings.bOneProcess && Settings.NetMode != PIE_Standalone);
			const bool bListen = Settings.NetMode == PIE_ListenServer;
			FMachineSettings Machine = At(60, 0, 5000);
			Machine.WorldType = EWorldType::PIE;
			Session = std::make_unique<FSession>(
				Machine, bListen ? NM_ListenServer : NM_DedicatedServer, Seed + (bListen ? 1 : 0));
			// On a listen server, one of the players is the host.
			for (int32 Index = bListen ? 1 : 0; Index < Settings.Clients; ++Index)
			{
				Session->Connect(Session->Add(Machine, Link(0.05, 0.05, 0, 0)));
			}
		}

		void Frame() const
		{
			if (!Session) { return; }
			Session->Run(1.0 / 60);
			Session->Server->Enter(FMath::Max(FDouble::State.Now, Session->Server->NextFrame - 1.0 / 60));
		}
	};

	static void RunTest(FAutomationTestBase& Test, const FPlaying& Playing)
	{
		Test.RunTest(FString());
		int32 Frames = 0;
		for (const auto& Command : Test.Commands)
		{
			for (; Frames < 20000; ++Frames)
			{
				Playing.Frame();
				if (Command->Update()) { break; }
			}
		}
		Test.Commands.clear();
		for (const FString& Error : Test.Errors) { Expect(false, FDouble::Narrow(*Error)); }
		Expect(Test.Expectations > 4 && Frames < 20000, "the test checks something and ends");
		std::printf("    %s: %d expectations, %d frames", Test.Name, Test.Expectations, Frames);
		for (const FString& Said : Test.Info) { std::printf("; %s", FDouble::Narrow(*Said).c_str()); }
		std::printf("\n");
	}

	SCENARIO(Automation, Tools)
	{
		FPlaying Playing;
		Playing.Seed = Seed + 50;
		UEngine* const Game = GEngine;
		GEngine = GEditor = NewObject<UEditorEngine>();
		GEditor->OnPlay = [&Playing](const ULevelEditorPlaySettings& Settings) { Playing.Begin(Settings); };
		GEditor->OnEnd = [&Playing]() { Playing.Session = nullptr; };
		for (FAutomationTestBase* Test : FAutomationTestBase::All()) { RunTest(*Test, Playing); }
		constexpr size_t Wanted = 4 + WITH_NETCLOCK_PEERS;
		Expect(FAutomationTestBase::All().size() == Wanted, "all automation tests are registered");
		GEngine = Game;
		GEditor = nullptr;
	}
}
