// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Engine/DeveloperSettings.h"
#include "NetClockSettings.generated.h"

/**
 * Project Settings > Plugins > NetClock, in DefaultGame.ini. Nobody has to change any of it. What is out of range is
 * brought into it and logged as a warning. What concerns a client's clock is taken up by the next connection, the rest
 * at once.
 */
UCLASS(Config = Game, DefaultConfig, meta = (DisplayName = "NetClock"))
class NETCLOCK_API UNetClockSettings : public UDeveloperSettings
{
	GENERATED_BODY()

public:
	/** The settings in force, all of them in range. For the game thread. */
	static const UNetClockSettings& Get();

	virtual FName GetCategoryName() const override;

	/**
	 * How often a client asks the server once it is synced, each second. Stamps are taken by frames: more exchanges make
	 * up for that, at 72 bytes each. The server answers no more than its own setting allows.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "0.1", ClampMax = "20", Units = "Hz"))
	float ProbesPerSecond = 16.0f;

	/** An error bound above this, in ms, is told by OnDegraded and answered by a burst of probes. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000", Units = "ms"))
	float TargetBoundMs = 250.0f;

	/** A correction forwards by more than this, in ms, jumps once and is told by OnDiscontinuity; less is worked off. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "60000", Units = "ms"))
	float StepThresholdMs = 250.0f;

	/** By how much the clock runs fast or slow, at most, while it works off a correction, in percent of real time. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "0.1", ClampMax = "50", Units = "Percent"))
	float MaxSlewPercent = 5.0f;

	/**
	 * Largest difference between the rates of two machines' clocks that the error bound has to survive, in ppm. Crystals
	 * are within 100; more makes the bound larger and is for machines whose clocks are worse.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "10000"))
	float MaxDriftPpm = 100.0f;

	/** The share of messages that are to be in time for Get Prediction Lead, and of states for Suggest Interpolation Delay. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "0.5", ClampMax = "0.999"))
	float InTimeShare = 0.95f;

	/** Smaller changes of the delay of a direction, in ms, are not told by OnLatencyChanged and not hidden by the speed scale. */
	UPROPERTY(EditAnywhere, Config, Category = "Client", meta = (ClampMin = "1", ClampMax = "1000", Units = "ms"))
	float LeastLatencyChangeMs = 20.0f;

	/** A client's NetClock game state says the server's world time; without this, what the engine says. */
	UPROPERTY(EditAnywhere, Config, Category = "Client")
	bool bOverrideWorldTime = true;

	/** Gives a clock component to every player who joins. Without this, only a controller that brings its own has one. */
	UPROPERTY(EditAnywhere, Config, Category = "Server")
	bool bAttachToEveryPlayer = true;

	/** Probes of one player that are answered each second in the long run. Keep it above what clients ask. */
	UPROPERTY(EditAnywhere, Config, Category = "Server", meta = (ClampMin = "1", ClampMax = "1000", Units = "Hz"))
	float AnswersPerSecondAndPlayer = 30.0f;

	/** Probes of one player that are answered in a row, before that limit counts: several bursts of a client. */
	UPROPERTY(EditAnywhere, Config, Category = "Server", meta = (ClampMin = "16", ClampMax = "1000"))
	int32 AnswersInARow = 64;

	/**
	 * The longest that players who are not ready can put off a start, in seconds: half of it is for waiting until they are,
	 * half for telling them. It holds for starts that are prepared from now on, as the next does.
	 */
	UPROPERTY(EditAnywhere, Config, Category = "Start", meta = (ClampMin = "0.1", ClampMax = "600", Units = "s"))
	float StartPatienceSeconds = 10.0f;

	/** A player whose clock is probably further off than this, in ms, is not ready for a start. */
	UPROPERTY(EditAnywhere, Config, Category = "Start", meta = (ClampMin = "0.1", ClampMax = "1000", Units = "ms"))
	float StartMaxExpectedErrorMs = 5.0f;

private:
	void BringIntoRange();
};
