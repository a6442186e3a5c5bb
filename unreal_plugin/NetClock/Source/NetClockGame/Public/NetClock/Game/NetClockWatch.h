// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClockWatch.generated.h"

class APlayerController;
class UWorld;

/** How strongly the server suspects that a player's clock was manipulated. */
UENUM(BlueprintType)
enum class ENetClockSuspicion : uint8
{
	/** The server does not have enough measurements yet. */
	Unknown,
	/** Network delays and ordinary crystal drift explain all measurements. */
	Plausible,
	/** Only a very unusual network path would explain the measurements. Investigate, but do not punish the
	 * player. */
	Likely,
	/** No network delay can explain the measurements. The clock ran at a different rate or was set. */
	Proven
};

/** The server's verdict about a player's clock. */
UENUM(BlueprintType)
enum class ENetClockFinding : uint8
{
	None,
	/** The clock ran fast. */
	Fast,
	/** The clock ran slow. */
	Slow,
	/** The clock jumped forwards. */
	Added,
	/** The clock jumped backwards or stopped, which also happens when the machine sleeps. */
	Removed
};

/** The server's verdict about a player's clock, with the evidence. */
USTRUCT(BlueprintType)
struct NETCLOCKGAME_API FNetClockVerdict
{
	GENERATED_BODY()

	/** The suspicion based on the measurements of the last minute. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Level = ENetClockSuspicion::Unknown;

	/** The highest suspicion so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockSuspicion Worst = ENetClockSuspicion::Unknown;

	/** The latest finding. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	ENetClockFinding Finding = ENetClockFinding::None;

	/** The number of findings so far. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	int32 Findings = 0;

	/** How much time the player's clock gained in the latest finding beyond ordinary crystal drift, in ms.
	 * The value is negative if the clock lost time. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double GainedMs = 0.0;

	/** The duration of the latest finding, in seconds. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double DurationSeconds = 0.0;

	/** True if RatePpm and RateErrorPpm are known. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	bool bIsRateKnown = false;

	/** The mean rate of the player's clock relative to the server's, in ppm. The rate is positive if the
	 * player's clock runs faster. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RatePpm = 0.0;

	/** The error bound of RatePpm, in ppm. */
	UPROPERTY(BlueprintReadOnly, Category = "NetClock")
	double RateErrorPpm = 0.0;
};

/** Server: there is a new finding about a player's clock. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockSuspected, APlayerController*, Player, FNetClockVerdict, Verdict);

/** Server: monitors the players' clocks and measures the round-trip times of their messages. */
UCLASS()
class NETCLOCKGAME_API UNetClockWatch : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the watch of the object's world, or null. */
	static UNetClockWatch* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Server: called each time the server finds that a player's clock ran fast or slow, or was set. The
	 * verdict is Likely or Proven. Delay, packet loss and stalls alone do not trigger this event.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Players")
	FNetClockSuspected OnPlayerClockSuspected;

	/**
	 * Server: returns the verdict about a player's clock, with the evidence.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Players",
		meta = (Keywords = "cheat speed hack clock player"))
	FNetClockVerdict GetPlayerVerdict(const APlayerController* Player) const;

	/**
	 * Server: ignores a player's clock for the given number of seconds, and discards the findings of the last
	 * minute. Use this if your game expects the player's machine to sleep.
	 *
	 * @param Player The player's controller, on the server.
	 * @param Seconds How long to ignore the clock, in seconds of real time, from 0 to 3600.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Players",
		meta = (DisplayName = "Excuse Player Clock (s)", Keywords = "cheat speed hack clock player"))
	void ExcusePlayerClockSeconds(APlayerController* Player, double Seconds);

	/** Server: starts measuring all players' round-trip times continuously, rather than only when they
	 * join. */
	void Measure() { bMeasures = true; }

private:
	/** A player and the number of reported findings about their clock. */
	struct FWatched
	{
		TWeakObjectPtr<APlayerController> Player;
		int32 Findings = 0;
		/** Whether the round-trip time has been measured at least once. */
		bool bIsMeasured = false;
	};

	void OnFrameEnded(UWorld* World);
	/** Returns the player's number on the host, or -1. */
	int32 NumberOf(const APlayerController* Player) const;

	TArray<FWatched> Watched;
	bool bMeasures = false;
	/** When the round-trip times were last read, in ticks of this machine's clock. */
	int64 MeasuredTicks = 0;
	FDelegateHandle FrameEndedHandle;
};
