// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockNodes.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"
#include "NetClock/Utc/NetClockUtc.h"

bool UNetClockNodes::IsServerTimeSynced(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock && Clock->IsSynced();
}

ENetClockQuality UNetClockNodes::GetClockQuality(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock ? Clock->GetQuality() : ENetClockQuality::None;
}

double UNetClockNodes::GetServerRealTimeSeconds(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock ? Clock->GetServerRealTimeSeconds() : 0.0;
}

int64 UNetClockNodes::GetServerTimeTicks(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock ? Clock->GetServerTimeTicks() : 0;
}

double UNetClockNodes::GetServerWorldTimeSeconds(const UObject* WorldContextObject)
{
	const UWorld* World = WorldContextObject ? WorldContextObject->GetWorld() : nullptr;
	const AGameStateBase* State = World ? World->GetGameState() : nullptr;
	return State ? State->GetServerWorldTimeSeconds() : 0.0;
}

double UNetClockNodes::GetServerTimeErrorBoundMs(const UObject* WorldContextObject)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock ? Clock->GetErrorBoundMs() : NetClock::UnknownMs;
}

double UNetClockNodes::GetServerTimeAgeSeconds(const UObject* WorldContextObject, int64 ServerTicks)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	return Clock ? Clock->GetAgeSeconds(ServerTicks) : 0.0;
}

bool UNetClockNodes::GetServerUtc(const UObject* WorldContextObject, FDateTime& Utc, double& ErrorBoundMs)
{
	Utc = FDateTime();
	ErrorBoundMs = NetClock::UnknownMs;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	const UNetClockUtc* Known = UNetClockUtc::Of(WorldContextObject);
	return Clock && Known && Known->Read(Clock->GetStatus(), Utc, ErrorBoundMs);
}

bool UNetClockNodes::GetTimeUntilServerUtc(
	const UObject* WorldContextObject, FDateTime Utc, FTimespan& Remaining, double& ErrorBoundMs)
{
	Remaining = FTimespan();
	ErrorBoundMs = NetClock::UnknownMs;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	const UNetClockUtc* Known = UNetClockUtc::Of(WorldContextObject);
	return Clock && Known && Known->Until(Clock->GetStatus(), Utc, Remaining, ErrorBoundMs);
}

bool UNetClockNodes::GetServerTimeOfUtc(const UObject* WorldContextObject, FDateTime Utc, int64& ServerTicks)
{
	ServerTicks = 0;
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(WorldContextObject);
	const UNetClockUtc* Known = UNetClockUtc::Of(WorldContextObject);
	return Clock && Known && Known->ServerTicksAt(Clock->GetStatus(), Utc, ServerTicks);
}

int64 UNetClockNodes::SecondsToTicks(double Seconds)
{
	// The first number that is too large, as a double; the largest one is none.
	constexpr double TooLarge = 9223372036854775808.0;
	constexpr int64 Largest = 9223372036854775807;
	const double Ticks = Seconds * static_cast<double>(NetClock::TicksPerSecond);
	if (Ticks >= TooLarge)
	{
		return Largest;
	}
	if (Ticks <= -TooLarge)
	{
		return -Largest - 1;
	}
	return FMath::IsFinite(Ticks) ? static_cast<int64>(Ticks) : 0;
}

double UNetClockNodes::TicksToSeconds(int64 Ticks)
{
	return NetClock::TicksToSeconds(Ticks);
}

int64 UNetClockNodes::TimespanToTicks(FTimespan Timespan)
{
	return Timespan.GetTicks();
}

FTimespan UNetClockNodes::TicksToTimespan(int64 Ticks)
{
	return FTimespan(Ticks);
}
