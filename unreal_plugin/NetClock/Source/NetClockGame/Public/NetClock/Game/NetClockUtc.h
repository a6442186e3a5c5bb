// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/DateTime.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockUtc.generated.h"

struct FNetClockStatus;
class UObject;
class UWorld;

/** The server's UTC has become known (JumpSeconds is zero), or has jumped by JumpSeconds (positive for
 * forward jumps). */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockUtcChanged, double, JumpSeconds);

/**
 * The server's UTC, for daily resets and dated events. The server reads its machine's UTC once per second. It
 * sends players the difference between UTC and the server time when they join, and again whenever the
 * difference changes.
 *
 * The result is as accurate as the UTC of the server's machine, and may jump in either direction when that
 * machine's UTC is set. There is one object per game instance, and it survives travel.
 */
UCLASS()
class NETCLOCKGAME_API UNetClockUtc : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the UTC object of the given object's game instance, or null. */
	static UNetClockUtc* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Called when the server's UTC has become known, or has jumped by 10 ms or more. Then query the server
	 * times of your dates again, and restart any waits for them. Smaller corrections, which compensate for
	 * the drift of the server's clock, are not reported.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Server UTC")
	FNetClockUtcChanged OnServerUtcChanged;

	/**
	 * Server: sets the maximum error of this machine's UTC, for example the value that its time service
	 * reports. The error is unknown until you call this function, and if you pass a value that is out of
	 * range.
	 *
	 * @param ErrorMs The maximum error of this machine's UTC, in ms, from 0 to 400000.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Server UTC",
		meta = (DisplayName = "Set Server UTC Error (ms)", Keywords = "date daily reset event calendar"))
	void SetServerUtcErrorMs(double ErrorMs) { ServerErrorMs = ErrorMs; }

	/**
	 * Gets the server's UTC, for daily resets and dated events. Returns false if the result is unknown. This
	 * is the UTC of the server's machine. It may jump when it is set and does not include leap seconds. Show
	 * this date to players, but measure durations with the server time.
	 *
	 * @param Utc Date and time in UTC.
	 * @param ErrorBoundMs The maximum error of Utc, in ms, provided that the server's time source is correct.
	 * The value is huge if the server has not specified the error of its UTC.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server UTC",
		Keywords = "date daily reset event calendar"))
	static bool GetServerUtc(const UObject* WorldContextObject, FDateTime& Utc, double& ErrorBoundMs);

	/**
	 * Gets the server time at which the server's UTC reaches a date. Returns false if the result is unknown.
	 * Pass the result to Wait Until Server Time, and repeat both steps when On Server Utc Changed is called.
	 *
	 * @param Utc A date and time in UTC, not before 1970.
	 * @param ServerTicks The server time at that date, in ticks of 100 ns.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Server UTC",
		meta = (WorldContext = "WorldContextObject", DisplayName = "Get Server Time Of UTC (ticks)",
		Keywords = "date daily reset event calendar"))
	static bool GetServerTimeOfUtc(const UObject* WorldContextObject, FDateTime Utc, int64& ServerTicks);

private:
	void OnFrameEnding(UWorld* World);
	void Observe(const FNetClockStatus& Status);
	void Follow(const FNetClockStatus& Status);
	bool IsServer() const;
	/** Returns true if UTC is known for the clock that Status describes. */
	bool Knows(const FNetClockStatus& Status) const;
	/** Stores ZeroTicks, which is UTC in ticks since 1970 minus the server time. */
	void Note(int64 ZeroTicks, int64 Epoch);

	double ServerErrorMs = -1.0;
	/** Server: when UTC was last read, in ticks of this machine's clock, and the longest possible time
	 * between the readings of UTC and that clock. */
	int64 ObservedTicks = 0;
	double UncertaintyMs = 0.0;
	/** The difference between UTC and the server time, in ticks, and the epoch of the server's clock. Both
	 * are zero while UTC is unknown. */
	int64 KnownZeroTicks = 0;
	int64 KnownEpoch = 0;
	FDelegateHandle FrameEndingHandle;
};
