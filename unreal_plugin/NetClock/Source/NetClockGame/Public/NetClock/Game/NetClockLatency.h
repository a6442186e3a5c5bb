// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClockLatency.generated.h"

class UWorld;

/** The direction of a message. */
UENUM(BlueprintType)
enum class ENetClockDirection : uint8
{
	/** From this machine to the server. */
	ToServer,
	/** From the server to this machine. */
	ToClient
};

/** The typical delay in one direction has changed from BeforeMs to AfterMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(
	FNetClockLatencyChanged, ENetClockDirection, Direction, double, BeforeMs, double, AfterMs);

/** Client: detects latency changes and hides them. */
UCLASS()
class NETCLOCKGAME_API UNetClockLatency : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Client: returns a factor for the local avatar's speed, to hide latency changes. In this frame, multiply
	 * the avatar's delta time by this factor. The factor is usually 1. The factor can drop to 0.9 after the
	 * latency has risen, and rise to 1.1 after the latency has fallen.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Latency",
		meta = (Keywords = "latency ping jitter speed scale"))
	double GetSuggestedSpeedScale() const;

	/** Client: called when the delay in one direction has changed permanently. Detection takes a few seconds.
	 * Jitter and packet loss do not trigger this event. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Latency")
	FNetClockLatencyChanged OnLatencyChanged;

private:
	void OnFrameEnding(UWorld* World);
	bool IsClient() const;

	FDelegateHandle FrameEndingHandle;
};
