// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockNodes.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"

namespace
{
	/** Returns the clock of the caller's world. If there is no clock, or it must be synced but is not, logs
	 * the misuse and returns null. */
	const UNetClockSubsystem* ClockFor(
		const UObject* WorldContextObject, const TCHAR* Node, bool bMustBeSynced = false)
	{
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
		if (!Clock)
		{
			NetClock::ReportMisuse(Node,
				TEXT("there is no game world. Call it from an object in a world that plays, for example from "
					 "an actor's BeginPlay, and not from a constructor."));
		}
		else if (bMustBeSynced && !Clock->IsSynced())
		{
			NetClock::ReportMisuse(Node,
				TEXT("the clock is not synced yet, so the result is 0. Check Is Server Time Synced first, or "
					 "continue after Wait Until Synced."));
			return nullptr;
		}
		return Clock;
	}
}

bool UNetClockNodes::IsServerTimeSynced(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Is Server Time Synced"));
	return Clock && Clock->IsSynced();
}

FNetClockStatus UNetClockNodes::GetClockStatus(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Get Clock Status"));
	return Clock ? Clock->GetStatus() : FNetClockStatus();
}

double UNetClockNodes::GetServerTimeSeconds(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Get Server Time (s)"), true);
	return Clock ? Clock->GetServerTimeSeconds() : 0.0;
}

int64 UNetClockNodes::GetServerTimeTicks(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Get Server Time (ticks)"), true);
	return Clock ? Clock->GetServerTimeTicks() : 0;
}

double UNetClockNodes::GetServerWorldTimeSeconds(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Get Server World Time (s)"));
	const AGameStateBase* State = Clock ? Clock->GetWorld()->GetGameState() : nullptr;
	return State ? State->GetServerWorldTimeSeconds() : 0.0;
}

bool UNetClockNodes::GetAgeOfServerTime(
	const UObject* WorldContextObject, int64 ServerTicks, double& AgeSeconds)
{
	AgeSeconds = 0.0;
	const UNetClockSubsystem* Clock = ClockFor(WorldContextObject, TEXT("Get Age Of Server Time"));
	return Clock && Clock->GetAgeOfServerTime(ServerTicks, AgeSeconds);
}

int64 UNetClockNodes::SecondsToTicks(double Seconds)
{
	// 2^63 is the smallest positive double that does not fit in an int64. The largest int64 is not exactly
	// representable as a double.
	constexpr double TooLarge = 9223372036854775808.0;
	constexpr int64 Largest = 9223372036854775807;
	const double Ticks = Seconds * static_cast<double>(NetClock::TicksPerSecond);
	if (FMath::Abs(Ticks) < TooLarge)
	{
		return static_cast<int64>(Ticks);
	}
	return Ticks > 0.0 ? Largest : Ticks < 0.0 ? -Largest - 1 : 0;
}

double UNetClockNodes::TicksToSeconds(int64 Ticks)
{
	return NetClock::TicksToSeconds(Ticks);
}
