// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "Clock/NetClockTypes.h"
#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "NetClockNodes.generated.h"

class UObject;

/**
 * The clock for Blueprints: the most common nodes, without a subsystem. UNetClockSubsystem has the others. Where there is no
 * game, as in the editor's own world, the nodes return what an unsynced clock returns.
 */
UCLASS()
class NETCLOCK_API UNetClockNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** True if the server time is known. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject"))
	static bool IsServerTimeSynced(const UObject* WorldContextObject);

	/** How good the clock is. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject"))
	static ENetClockQuality GetClockQuality(const UObject* WorldContextObject);

	/** The server's real time, in seconds. It does not pause and is not dilated. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Real Time (s)"))
	static double GetServerRealTimeSeconds(const UObject* WorldContextObject);

	/** The server's real time, in ticks of 100 ns. Send, compare and subtract it without rounding. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (ticks)"))
	static int64 GetServerTimeTicks(const UObject* WorldContextObject);

	/** The server's world time, in seconds, as the game state returns it. Zero while there is no game state. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server World Time (s)"))
	static double GetServerWorldTimeSeconds(const UObject* WorldContextObject);

	/** Error bound: the true server time is within this many ms. Huge if there is no bound. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Error Bound (ms)"))
	static double GetServerTimeErrorBoundMs(const UObject* WorldContextObject);

	/** Time since a server time, in seconds. Negative if it lies in the future. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Age Of Server Time Stamp (s)"))
	static double GetServerTimeAgeSeconds(const UObject* WorldContextObject, int64 ServerTicks);
};
