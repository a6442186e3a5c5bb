// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClockWatch.generated.h"

class APlayerController;
class UWorld;

/** How strongly the server suspects a player's clock. */
UENUM(BlueprintType)
enum class ENetClockSuspicion : uint8
{
	/** The server has heard too little. */
	Unknown,
	/** Delay and ordinary crystals explain everything. */
	Plausible,
	/** Only a very unusual path would explain it. Look closer, do not punish. */
	Likely,
	/** No delay explains it. The clock ran at another rate, or was set. */
	Proven
};

/** What the server found about a player's clock. */
UENUM(BlueprintType)
enum class ENetClockFinding : uint8
{
	None,
	/** It ran fast. */
	Fast,
	/** It ran slow. */
	Slow,
	/** It jumped ahead. */
	Added,
	/** It fell back, or stood still. A machine that slept does that too. */
	Removed
};

/** The server's verdict about a player's clock, with the evidence. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockVerdict
{
	GENERATED_BODY()

	/** Suspicion by the last minute. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Level = ENetClockSuspicion::Unknown;

	/** The highest suspicion so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Worst = ENetClockSuspicion::Unknown;

	/** The newest finding. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockFinding Finding = ENetClockFinding::None;

	/** Number of findings so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Findings = 0;

	/** Newest finding: how much the player's clock gained beyond what crystals explain, in ms. Negative: it
	 * lost. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double GainedMs = 0.0;

	/** Newest finding: how long it took, in seconds. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double DurationSeconds = 0.0;

	/** True if RatePpm and RateErrorPpm are known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsRateKnown = false;

	/** Mean rate of the player's clock relative to the server's, in ppm. Positive: the player's runs fast. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RatePpm = 0.0;

	/** Error bound of RatePpm, in ppm. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RateErrorPpm = 0.0;
};

/** Server: NetClock found something about a player's clock. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockSuspected, APlayerController*, Player, FNetClockVerdict, Verdict);

/** Server: watches the clocks of its players, and measures how long their messages take. */
UCLASS()
class NETCLOCKGAME_API UNetClockWatch : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** The watch of the world that an object belongs to, or null. */
	static UNetClockWatch* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Server: a player's clock ran fast or slow, or was set. The verdict is Likely or Proven. It comes again
	 * for each finding. Delay, loss and stalls alone do not raise it.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Players")
	FNetClockSuspected OnPlayerClockSuspected;

	/**
	 * Server: the verdict about a player's clock, with the evidence.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Players",
		meta = (Keywords = "cheat speed hack clock player"))
	FNetClockVerdict GetPlayerVerdict(const APlayerController* Player) const;

	/**
	 * Server: ignores a player's clock for some seconds, from 0 to 3600, and drops what was found in the last
	 * minute. For machines that may sleep, because the game allows it.
	 *
	 * @param Player The player's controller, on the server.
	 * @param Seconds How long, in seconds of real time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Players",
		meta = (DisplayName = "Excuse Player Clock (s)", Keywords = "cheat speed hack clock player"))
	void ExcusePlayerClockSeconds(APlayerController* Player, double Seconds);

	/** Server: measures the round trips of all players from now on, and not only when they join. */
	void Measure() { bMeasures = true; }

private:
	/** A player, and how many findings were reported. */
	struct FWatched
	{
		TWeakObjectPtr<APlayerController> Player;
		int32 Findings = 0;
		/** The round trip was measured once. */
		bool bIsMeasured = false;
	};

	void OnFrameEnded(UWorld* World);
	/** The player's number at the host, or -1. */
	int32 NumberOf(const APlayerController* Player) const;

	TArray<FWatched> Watched;
	bool bMeasures = false;
	/** When the round trips were last asked for, in ticks of this machine's clock. */
	int64 MeasuredTicks = 0;
	FDelegateHandle FrameEndedHandle;
};
