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

/** Messages in one direction now typically take AfterMs instead of BeforeMs. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(
	FNetClockLatencyChanged, ENetClockDirection, Direction, double, BeforeMs, double, AfterMs);

/** Client: notices that the delay of messages changed, and hides it. */
UCLASS()
class NETCLOCKGAME_API UNetClockLatency : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Client: a factor for the speed of the local avatar in this frame, which hides a change of latency.
	 * Multiply the frame's time by it. It is usually 1, and from 0.9 (latency rose) to 1.1 (latency fell).
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Latency",
		meta = (Keywords = "latency ping jitter speed scale"))
	double GetSuggestedSpeedScale() const;

	/**
	 * Client: the sum of what the speed scale added to the avatar's time since the clock began, in ms.
	 * Negative: it took time away. The difference between two frames is exact, however long the frames are.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Latency",
		meta = (DisplayName = "Get Suggested Speed Shift (ms)", Keywords = "latency ping jitter speed scale"))
	double GetSuggestedSpeedShiftMs() const;

	/** Client: the delay in one direction changed and stayed changed. NetClock needs seconds to see it.
	 * Jitter and loss do not raise it. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Latency")
	FNetClockLatencyChanged OnLatencyChanged;

private:
	void OnFrameEnding(UWorld* World);
	bool IsClient() const;

	FDelegateHandle FrameEndingHandle;
};
