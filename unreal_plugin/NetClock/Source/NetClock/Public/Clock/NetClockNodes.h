// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Kismet/BlueprintFunctionLibrary.h"
#include "Clock/NetClockTypes.h"
#include "NetClockNodes.generated.h"

class UObject;

/**
 * What most Blueprints want of the clock, without fetching UNetClockSubsystem first, which has all the rest. Where there is
 * no game, as in the editor's own world, they say what an unsynced clock says.
 */
UCLASS()
class NETCLOCK_API UNetClockNodes : public UBlueprintFunctionLibrary
{
	GENERATED_BODY()

public:
	/** True if there is a server time to show. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject"))
	static bool IsServerTimeSynced(const UObject* WorldContextObject);

	/** How good the clock is, in a word. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject"))
	static ENetClockQuality GetClockQuality(const UObject* WorldContextObject);

	/** The server's real time in seconds; zero until synced. It does not pause and is not dilated. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Real Time (s)"))
	static double GetServerRealTimeSeconds(const UObject* WorldContextObject);

	/** The server's real time in ticks of 100 ns; zero until synced. To be sent, compared and subtracted without rounding. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time (ticks)"))
	static int64 GetServerTimeTicks(const UObject* WorldContextObject);

	/** The server's world time in seconds, as the game state shows it; zero while there is no game state. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server World Time (s)"))
	static double GetServerWorldTimeSeconds(const UObject* WorldContextObject);

	/** The true server time is within this, in ms. Huge if nothing can be promised. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Error Bound (ms)"))
	static double GetServerTimeErrorBoundMs(const UObject* WorldContextObject);

	/** How long ago, in seconds, a server's real time was: negative if it is to come. Zero until synced. */
	UFUNCTION(BlueprintPure, Category = "NetClock", meta = (WorldContext = "WorldContextObject", DisplayName = "Get Age Of Server Time Stamp (s)"))
	static double GetServerTimeAgeSeconds(const UObject* WorldContextObject, int64 ServerTicks);
};
