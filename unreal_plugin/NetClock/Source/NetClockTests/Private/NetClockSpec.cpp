// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Tests the clock in games without a server.

#include "Misc/AutomationTest.h"

#if WITH_DEV_AUTOMATION_TESTS

#include "NetClock/Clock/NetClockNodes.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "HAL/PlatformProcess.h"
#include "NetClockTestWorld.h"
#include "NetClock/Wait/NetClockWaits.h"

BEGIN_DEFINE_SPEC(FNetClockSpec, "NetClock.Clock",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
void DefineStandalone();
void DefineWaits();
void DefineNodes();
END_DEFINE_SPEC(FNetClockSpec)

void FNetClockSpec::Define()
{
	Describe(TEXT("A game without a server"), [this]() { DefineStandalone(); });
	Describe(TEXT("Waiting"), [this]() { DefineWaits(); });
	Describe(TEXT("Nodes without a game"), [this]() { DefineNodes(); });
}

void FNetClockSpec::DefineStandalone()
{
	It(TEXT("has its own exact time"), [this]()
	{
		TestTrue(TEXT("the library is usable; if not, the log explains why"), NetClock::IsLibraryUsable());
		FNetClockTestWorld Test;
		const UNetClockSubsystem* Clock = Test.World->GetSubsystem<UNetClockSubsystem>();
		if (!Clock)
		{
			AddError(TEXT("The world has no clock."));
			return;
		}
		TestTrue(TEXT("available from BeginPlay on"), Clock->IsSynced());
		const int64 Before = NetClock::LocalTicks();
		Test.Frame();
		const int64 After = NetClock::LocalTicks();
		TestTrue(TEXT("synced, with a bound of zero"),
			Clock->IsSynced() && Clock->GetStatus().ErrorBoundMs <= 0.0);
		TestTrue(TEXT("exact"), Clock->GetStatus().Quality == ENetClockQuality::Exact);
		TestTrue(TEXT("read once at the start of the frame"),
			Clock->GetServerTimeTicks() >= Before && Clock->GetServerTimeTicks() <= After);
		TestTrue(TEXT("has an epoch"), Clock->GetStatus().ServerEpoch != 0);
		double AgeSeconds = 0.0;
		TestTrue(TEXT("the age of a timestamp from two seconds ago"),
			Clock->GetAgeOfServerTime(Clock->GetServerTimeTicks() - 20000000, AgeSeconds) &&
				FMath::Abs(AgeSeconds - 2.0) < 1.0e-6);
	});
	It(TEXT("shows its own world time"), [this]()
	{
		FNetClockTestWorld Test;
		for (int32 Index = 0; Index < 10; ++Index)
		{
			Test.Frame();
			const double Shown = Test.State->GetServerWorldTimeSeconds();
			TestTrue(TEXT("world time"), FMath::Abs(Shown - Test.World->GetTimeSeconds()) < 1.0e-9);
		}
		TestTrue(TEXT("world time has advanced"), Test.World->GetTimeSeconds() > 0.1);
	});
}

void FNetClockSpec::DefineWaits()
{
	It(TEXT("ends once, in the first frame that reaches the instant, and never earlier"), [this]()
	{
		FNetClockTestWorld Test;
		Test.Frame();
		const UNetClockSubsystem* Clock = Test.World->GetSubsystem<UNetClockSubsystem>();
		UNetClockWaits* Waits = Test.World->GetSubsystem<UNetClockWaits>();
		int32 Times = 0;
		int32 Early = 0;
		const int64 Instant = Clock->GetServerTimeTicks() + NetClock::TicksPerSecond / 20;
		const auto Hear = [&](const FNetClockWaited&)
		{
			++Times;
			Early += Clock->GetServerTimeTicks() < Instant ? 1 : 0;
		};
		Waits->WaitUntilServerTime(Instant, FNetClockWaitDelegate::CreateLambda(Hear));
		for (int32 Index = 0; Index < 200; ++Index)
		{
			const bool bBefore = Times == 0;
			Test.Frame();
			TestTrue(TEXT("in the first frame"),
				!bBefore || (Times == 1) == (Clock->GetServerTimeTicks() >= Instant));
			FPlatformProcess::Sleep(0.001f);
		}
		TestEqual(TEXT("calls"), Times, 1);
		TestEqual(TEXT("early calls"), Early, 0);
	});
	It(TEXT("ends in the next frame if the instant has passed, and when the world ends"), [this]()
	{
		int32 Passed = 0;
		int32 Ended = 0;
		{
			FNetClockTestWorld Test;
			Test.Frame();
			UNetClockWaits* Waits = Test.World->GetSubsystem<UNetClockWaits>();
			Waits->WaitUntilServerWorldTime(-1.0,
				FNetClockWaitDelegate::CreateLambda([&Passed](const FNetClockWaited& Waited)
					{ Passed += Waited.LatenessMs > 1000.0 ? 1 : 100; }));
			Waits->WaitUntilServerWorldTime(1.0e6,
				FNetClockWaitDelegate::CreateLambda([&Ended](const FNetClockWaited& Waited)
					{ Ended += Waited.End == ENetClockWaitEnd::WorldEnd ? 1 : 100; }));
			TestEqual(TEXT("calls before the next frame"), Passed, 0);
			Test.Frame();
			TestEqual(TEXT("calls in the next frame"), Passed, 1);
			TestEqual(TEXT("pending waits"), Waits->GetNumWaiting(), 1);
		}
		TestEqual(TEXT("calls at the end of the world"), Ended, 1);
	});
}

void FNetClockSpec::DefineNodes()
{
	It(TEXT("return what an unsynced clock returns"), [this]()
	{
		TestFalse(TEXT("synced"), UNetClockNodes::IsServerTimeSynced(nullptr));
		const FNetClockStatus Status = UNetClockNodes::GetClockStatus(nullptr);
		TestTrue(TEXT("no quality"), Status.Quality == ENetClockQuality::None);
		TestTrue(TEXT("no time"), UNetClockNodes::GetServerTimeTicks(nullptr) == 0);
		TestTrue(TEXT("no bound"), Status.ErrorBoundMs >= NetClock::UnknownMs);
		double AgeSeconds = 0.0;
		TestFalse(TEXT("no age"), UNetClockNodes::GetAgeOfServerTime(nullptr, 0, AgeSeconds));
	});
	It(TEXT("return this machine's time if it is the server"), [this]()
	{
		FNetClockTestWorld Test;
		Test.Frame();
		TestTrue(TEXT("its own time"),
			UNetClockNodes::IsServerTimeSynced(Test.World) &&
				UNetClockNodes::GetServerTimeTicks(Test.World) > 0);
	});
}

#endif // WITH_DEV_AUTOMATION_TESTS
