// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Runs Play In Editor, with the server and a client in one process. They read the same clock, so the true
// offset between server time and this machine's time is zero.

#include "Misc/AutomationTest.h"

#if WITH_DEV_AUTOMATION_TESTS

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Editor.h"
#include "Engine/Engine.h"
#include "Engine/World.h"
#include "NetClock/Clock/NetClockSession.h"
#include "HAL/PlatformTime.h"
#include "PlayInEditorDataTypes.h"
#include "Settings/LevelEditorPlaySettings.h"

namespace
{
	/** The time limit for starting and syncing, in seconds. It is generous, because the shaders may have to
	 * be compiled first.
	 * */
	constexpr double StartLimit = 120.0;

	constexpr double WatchSeconds = 5.0;

	/** How many ticks may be lost to rounding when the clock is read and converted. */
	constexpr double RoundingTicks = 4.0;

	/** Returns the client's or the server's world in a game that is playing in the editor, or null. */
	UWorld* FindPlayWorld(bool bClient)
	{
		for (const FWorldContext& Context : GEngine->GetWorldContexts())
		{
			UWorld* World = Context.WorldType == EWorldType::PIE ? Context.World() : nullptr;
			if (World && World->GetSubsystem<UNetClockSubsystem>() &&
				(World->GetNetMode() == NM_Client) == bClient)
			{
				return World;
			}
		}
		return nullptr;
	}

	void Play(EPlayNetMode NetMode, int32 Players)
	{
		ULevelEditorPlaySettings* Settings = NewObject<ULevelEditorPlaySettings>();
		Settings->SetPlayNetMode(NetMode);
		Settings->SetPlayNumberOfClients(Players);
		Settings->SetRunUnderOneProcess(true);
		FRequestPlaySessionParams Parameters;
		Parameters.EditorPlaySettings = Settings;
		GEditor->RequestPlaySession(Parameters);
	}

	struct FWatch
	{
		explicit FWatch(FAutomationTestBase& InTest) : Test(InTest), Begun(FPlatformTime::Seconds()) {}

		bool Update();
		void Look(const UWorld& Client, const UWorld& Server);
		void Tell() const;

		FAutomationTestBase& Test;
		double Begun;
		double SyncedAt = 0.0;
		int64 LastTicks = 0;
		int32 Frames = 0;
		int32 Outside = 0;
		int32 Backwards = 0;
		int32 NotExact = 0;
		double WorstMs = 0.0;
		double LargestBoundMs = 0.0;
	};

	bool FWatch::Update()
	{
		const UWorld* Client = FindPlayWorld(true);
		const UWorld* Server = FindPlayWorld(false);
		const double Now = FPlatformTime::Seconds();
		if (Client && Server && Client->GetSubsystem<UNetClockSubsystem>()->IsSynced())
		{
			SyncedAt = SyncedAt > 0.0 ? SyncedAt : Now;
			Look(*Client, *Server);
		}
		const bool bDone = SyncedAt > 0.0 ? Now - SyncedAt > WatchSeconds : Now - Begun > StartLimit;
		if (bDone)
		{
			Tell();
			GEditor->RequestEndPlayMap();
		}
		return bDone;
	}

	void FWatch::Look(const UWorld& Client, const UWorld& Server)
	{
		const UNetClockSubsystem& Clock = *Client.GetSubsystem<UNetClockSubsystem>();
		const UNetClockSubsystem& Own = *Server.GetSubsystem<UNetClockSubsystem>();
		// The client's time is read between two readings of this machine's clock.
		const int64 Before = NetClock::LocalTicks();
		const int64 Shown = UNetClockSession::Of(&Client)->ReadClient(NetClock::LocalTicks()).ServerTicks;
		const int64 After = NetClock::LocalTicks();
		const double OffTicks =
			static_cast<double>(Shown < Before ? Before - Shown : (Shown > After ? Shown - After : 0));
		const double BoundTicks = Clock.GetStatus().ErrorBoundMs * 1.0e4;
		++Frames;
		Outside += OffTicks > BoundTicks + RoundingTicks ? 1 : 0;
		Backwards += Clock.GetServerTimeTicks() < LastTicks ? 1 : 0;
		NotExact += Own.IsSynced() && Own.GetStatus().ErrorBoundMs <= 0.0 ? 0 : 1;
		LastTicks = Clock.GetServerTimeTicks();
		WorstMs = FMath::Max(WorstMs, OffTicks * 1.0e-4);
		LargestBoundMs = FMath::Max(LargestBoundMs, Clock.GetStatus().ErrorBoundMs);
	}

	void FWatch::Tell() const
	{
		Test.TestTrue(TEXT("client and server started and the client synced"), SyncedAt > 0.0);
		Test.TestTrue(TEXT("there were enough frames"), Frames > 30);
		Test.TestEqual(TEXT("frames in which the client's time exceeds its bound"), Outside, 0);
		Test.TestEqual(TEXT("frames in which the client's time went backwards"), Backwards, 0);
		Test.TestEqual(TEXT("frames in which the server is not exact"), NotExact, 0);
		Test.AddInfo(FString::Printf(TEXT("%d frames: off by %.3f ms at most, largest bound %.3f ms"), Frames,
			WorstMs, LargestBoundMs));
	}

	bool PlayAndWatch(FAutomationTestBase& Test, EPlayNetMode NetMode, int32 Players)
	{
		if (FindPlayWorld(false) || FindPlayWorld(true))
		{
			Test.AddError(TEXT("A game is already playing in the editor."));
			return false;
		}
		Play(NetMode, Players);
		const TSharedPtr<FWatch> Watch = MakeShared<FWatch>(Test);
		Test.AddCommand(new FFunctionLatentCommand([Watch]() { return Watch->Update(); }));
		Test.AddCommand(
			new FFunctionLatentCommand([]() { return !FindPlayWorld(false) && !FindPlayWorld(true); }));
		return true;
	}
}

IMPLEMENT_SIMPLE_AUTOMATION_TEST(FNetClockListenServerTest, "NetClock.PlayInEditor.ListenServer",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)

bool FNetClockListenServerTest::RunTest(const FString&)
{
	return PlayAndWatch(*this, PIE_ListenServer, 2);
}

IMPLEMENT_SIMPLE_AUTOMATION_TEST(FNetClockDedicatedServerTest, "NetClock.PlayInEditor.DedicatedServer",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)

bool FNetClockDedicatedServerTest::RunTest(const FString&)
{
	return PlayAndWatch(*this, PIE_Client, 1);
}

#endif // WITH_DEV_AUTOMATION_TESTS
