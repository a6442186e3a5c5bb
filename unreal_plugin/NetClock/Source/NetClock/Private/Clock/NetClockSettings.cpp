// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClock/Clock/NetClockSettings.h"

#include "NetClock/Base/NetClockBase.h"

namespace
{
	/** A value that is not a number counts as too small. The header repeats the limits for the editor. */
	template <class T>
	T Limited(T Value, T Min, T Max, [[maybe_unused]] const TCHAR* Name)
	{
		const T Kept = Value >= Min ? FMath::Min(Value, Max) : Min;
		if (Kept != Value)
		{
			UE_LOG(LogNetClock, Warning,
				TEXT("%s is %g, but its range is %g to %g. NetClock uses %g. Change it in Project Settings > "
					 "Plugins > NetClock, or in DefaultGame.ini."),
				Name, static_cast<double>(Value), static_cast<double>(Min), static_cast<double>(Max),
				static_cast<double>(Kept));
		}
		return Kept;
	}
}

const UNetClockSettings& UNetClockSettings::Get()
{
	// The values are checked at each use, because the file can be loaded again at any time.
	UNetClockSettings* Settings = GetMutableDefault<UNetClockSettings>();
	Settings->BringIntoRange();
	return *Settings;
}

FName UNetClockSettings::GetCategoryName() const
{
	return FName(TEXT("Plugins"));
}

void UNetClockSettings::BringIntoRange()
{
	ProbesPerSecond = Limited(ProbesPerSecond, 0.1f, 20.0f, TEXT("ProbesPerSecond"));
	TargetBoundMs = Limited(TargetBoundMs, 1.0f, 10000.0f, TEXT("TargetBoundMs"));
	StepThresholdMs = Limited(StepThresholdMs, 1.0f, 60000.0f, TEXT("StepThresholdMs"));
	MaxSlewPercent = Limited(MaxSlewPercent, 0.1f, 50.0f, TEXT("MaxSlewPercent"));
	MaxDriftPpm = Limited(MaxDriftPpm, 1.0f, 10000.0f, TEXT("MaxDriftPpm"));
	InTimeShare = Limited(InTimeShare, 0.5f, 0.99f, TEXT("InTimeShare"));
	LeastLatencyChangeMs = Limited(LeastLatencyChangeMs, 1.0f, 1000.0f, TEXT("LeastLatencyChangeMs"));
	LinkPort = Limited(LinkPort, 0, 65535, TEXT("LinkPort"));
	LinkPortCount = Limited(LinkPortCount, 1, 1000, TEXT("LinkPortCount"));
	LinkIntervalSeconds = Limited(LinkIntervalSeconds, 0.5f, 60.0f, TEXT("LinkIntervalSeconds"));
	ProbeIntervalBesideLinkSeconds =
		Limited(ProbeIntervalBesideLinkSeconds, 0.05f, 60.0f, TEXT("ProbeIntervalBesideLinkSeconds"));
	AnswersPerSecondAndPlayer =
		Limited(AnswersPerSecondAndPlayer, 1.0f, 1000.0f, TEXT("AnswersPerSecondAndPlayer"));
	AnswersInARow = Limited(AnswersInARow, 16, 1000, TEXT("AnswersInARow"));
	StartPatienceSeconds = Limited(StartPatienceSeconds, 0.1f, 600.0f, TEXT("StartPatienceSeconds"));
	StartMaxExpectedErrorMs =
		Limited(StartMaxExpectedErrorMs, 0.1f, 1000.0f, TEXT("StartMaxExpectedErrorMs"));
}
