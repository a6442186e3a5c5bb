// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// Tests starts, event order and custom transports in games without a server.

#include "Misc/AutomationTest.h"

#if WITH_DEV_AUTOMATION_TESTS && WITH_NETCLOCK_GAME

#include "HAL/PlatformProcess.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Game/NetClockOrder.h"
#include "NetClock/Game/NetClockOwnTransport.h"
#include "NetClock/Game/NetClockStart.h"
#include "NetClockTestWorld.h"

BEGIN_DEFINE_SPEC(FNetClockGameSpec, "NetClock.Game",
	EAutomationTestFlags::EditorContext | EAutomationTestFlags::ProductFilter)
void DefineStarts();
void DefineOrder();
END_DEFINE_SPEC(FNetClockGameSpec)

void FNetClockGameSpec::Define()
{
	Describe(TEXT("Starting"), [this]() { DefineStarts(); });
	Describe(TEXT("Order"), [this]() { DefineOrder(); });
}

void FNetClockGameSpec::DefineStarts()
{
	It(TEXT("begins after the delay and can be cancelled before that"), [this]()
	{
		FNetClockTestWorld Test;
		Test.Frame();
		const UNetClockSubsystem* Clock = Test.World->GetSubsystem<UNetClockSubsystem>();
		UNetClockStart* Start = Test.World->GetSubsystem<UNetClockStart>();
		TestFalse(TEXT("cancels without a start"), Start->CancelStart());
		TestFalse(TEXT("accepts a negative delay"), Start->ScheduleStart(-1.0));
		TestTrue(TEXT("accepted"), Start->ScheduleStart(50.0));
		Test.Frame();
		double SinceSeconds = 0.0;
		TestTrue(TEXT("scheduled"),
			Start->IsStartScheduled() && Start->GetTimeSinceStart(SinceSeconds) && SinceSeconds < 0.0 &&
				SinceSeconds > -0.06);
		TestTrue(TEXT("cancelled"),
			Start->CancelStart() && Start->GetStartStatus().Stage == ENetClockStartStage::Cancelled);
		TestTrue(TEXT("accepted again"), Start->ScheduleStart(50.0) && Start->SetBeatRate(100));
		Test.Frame();
		const int64 Instant = Start->GetStartStatus().AtTicks;
		int32 Early = 0;
		for (int32 Index = 0; Index < 200; ++Index)
		{
			Test.Frame();
			Early += Start->HasStarted() && Clock->GetServerTimeTicks() < Instant ? 1 : 0;
			TestTrue(
				TEXT("in the first frame"), Start->HasStarted() == (Clock->GetServerTimeTicks() >= Instant));
			FPlatformProcess::Sleep(0.001f);
		}
		TestEqual(TEXT("starts before the instant"), Early, 0);
		int64 Beat = 0;
		double Alpha = -1.0;
		TestTrue(TEXT("has a current beat"),
			Start->GetBeat(100, Beat, Alpha) && Beat > 0 && Alpha >= 0.0 && Alpha < 1.0);
		TestTrue(TEXT("the beat matches the time since the start"),
			Start->GetTimeSinceStart(SinceSeconds) &&
				FMath::Abs((static_cast<double>(Beat) + Alpha) / 100.0 - SinceSeconds) < 1.0e-6);
		TestEqual(TEXT("players who started"), Start->GetStartResult().Started, 1);
	});
}

void FNetClockGameSpec::DefineOrder()
{
	It(TEXT("does not need a lead if nothing is sent"), [this]()
	{
		FNetClockTestWorld Test;
		Test.Frame();
		FNetClockRequest Request;
		TestFalse(TEXT("makes a request"), UNetClockBlueprintLibrary::MakeClockRequest(Test.World, Request));
		TestFalse(TEXT("makes a request without a world"),
			UNetClockBlueprintLibrary::MakeClockRequest(nullptr, Request));
		TestTrue(TEXT("lead is zero"), UNetClockOrder::GetPredictionLeadMs(Test.World) <= 0.0);
		TestTrue(TEXT("delay covers two states"),
			FMath::Abs(UNetClockOrder::SuggestInterpolationDelayMs(Test.World, 50.0) - 50.0) < 1.0e-9);
		TestTrue(TEXT("timestamps are exact"), UNetClockOrder::GetEventStamp(Test.World).ErrorBoundMs <= 0.0);
	});
}

#endif // WITH_DEV_AUTOMATION_TESTS && WITH_NETCLOCK_GAME
