// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/DateTime.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockUtc.generated.h"

struct FNetClockStatus;

/** The server's UTC became known (JumpSeconds is zero), or jumped. JumpSeconds is positive if it jumped
 * forwards. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockUtcChanged, double, JumpSeconds);

/**
 * The server's UTC, for daily resets and dated events. The server reads its machine's UTC once per second. It
 * sends its players the difference between UTC and the server time, and sends it again whenever it changes.
 * The nodes Get Server UTC and Get Server Time Of UTC read it.
 *
 * It is as accurate as the UTC of the server's machine, and may jump in either direction when somebody sets
 * the machine's UTC. There is one object per game instance, so it persists through travel.
 */
UCLASS()
class NETCLOCK_API UNetClockUtc : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the UTC object of the game that an object belongs to, or null. */
	static UNetClockUtc* Of(const UObject* WorldContextObject);

	/**
	 * Called when the server's UTC became known, or jumped by 10 ms or more. Read dates again, and restart
	 * waits for dated events. Smaller corrections, about once a minute, follow the drift of the server's
	 * clock and are not reported.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Server UTC")
	FNetClockUtcChanged OnServerUtcChanged;

	/**
	 * Server: states how far this machine's UTC may be off, for games that know it, for example from the
	 * machine's time service. Until it is called, or if the value is out of range, the error is unknown.
	 *
	 * @param ErrorMs How far this machine's UTC may be off, in ms, from 0 to 400000.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Server UTC",
		meta = (DisplayName = "Set Server UTC Error (ms)", Keywords = "date daily reset event calendar"))
	void SetServerUtcErrorMs(double ErrorMs) { ServerErrorMs = ErrorMs; }

	/** Finds UTC at the time of a status. ErrorBoundMs is huge if the server has not stated the error of its
	 * UTC. Returns false if UTC is unknown. */
	bool Read(const FNetClockStatus& Status, FDateTime& Utc, double& ErrorBoundMs) const;

	/** Finds the server time, in ticks, at which the server's UTC is Utc. Returns false if it is unknown. */
	bool ServerTicksAt(const FNetClockStatus& Status, FDateTime Utc, int64& ServerTicks) const;

	/** Server, at the end of the frame: reads this machine's UTC once per second, and passes it to the
	 * host. */
	void Observe(const FNetClockStatus& Status);

	/** Client, at the end of the frame: detects that the server's UTC became known, or jumped. */
	void Follow(const FNetClockStatus& Status);

private:
	bool IsServer() const;
	/** Stores ZeroTicks, which is UTC in ticks since 1970 minus the server time. */
	void Note(int64 ZeroTicks, int64 Epoch);

	double ServerErrorMs = -1.0;
	/** Server: when this machine's UTC was last read, in ticks of its clock, and how far the two readings may
	 * have been apart. */
	int64 ObservedTicks = 0;
	double UncertaintyMs = 0.0;
	/** UTC minus the server time, in ticks, and the run of the server's clock. Zero until known. */
	int64 KnownZeroTicks = 0;
	int64 KnownEpoch = 0;
};
