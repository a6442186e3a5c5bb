// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Misc/DateTime.h"
#include "Misc/Timespan.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockUtc.generated.h"

struct FNetClockStatus;

/** The server's UTC became known (zero seconds), or jumped. Positive: forwards. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FNetClockUtcChanged, double, JumpSeconds);

/**
 * The server's UTC, for daily resets and dated events. The server reads its machine's UTC once a second
 * and tells its players what UTC its clock's zero is, and again when that changes. The nodes Get Server UTC
 * and Get Time Until Server UTC show it.
 *
 * It is the server's claim, and as good as the UTC of the server's machine. It may jump in both directions
 * when somebody sets that. There is one for each game instance, so it outlives travel.
 */
UCLASS()
class NETCLOCK_API UNetClockUtc : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The UTC of the game that an object belongs to, or null. */
	static UNetClockUtc* Of(const UObject* WorldContextObject);

	/**
	 * The server's UTC became known, or jumped by 10 ms or more. Read dates again, and wait again for dated
	 * events. Smaller corrections follow the drift of the server's clock, about once a minute, and are not
	 * reported.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Server UTC")
	FNetClockUtcChanged OnServerUtcChanged;

	/**
	 * Server: states how far this machine's UTC may be off, in ms, from 0 to 400000. For games that know it,
	 * for example from the machine's time service. Anything else means that nobody knows, as at the start.
	 *
	 * @param ErrorMs How far this machine's UTC may be off, in ms.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Server UTC",
		meta = (DisplayName = "Set Server UTC Error (ms)", Keywords = "date daily reset event calendar"))
	void SetServerUtcErrorMs(double ErrorMs) { ServerErrorMs = ErrorMs; }

	/** UTC at a time of the clock. ErrorBoundMs is huge if nobody states how good the server's UTC is. False
	 * if it is unknown. */
	bool Read(const FNetClockStatus& Status, FDateTime& Utc, double& ErrorBoundMs) const;

	/** How long it is until UTC reads a date, at a time of the clock. False if it is unknown. */
	bool Until(
		const FNetClockStatus& Status, FDateTime Utc, FTimespan& Remaining, double& ErrorBoundMs) const;

	/** The server time, in ticks, at which UTC is Utc, by the newest claim. False if it is unknown. */
	bool ServerTicksAt(const FNetClockStatus& Status, FDateTime Utc, int64& ServerTicks) const;

	/** Server, end of the frame: looks at this machine's UTC once a second, and tells the players if that is
	 * due. */
	void Observe(const FNetClockStatus& Status);

	/** Client, end of the frame: notices that the server's UTC is known, or jumped. */
	void Follow(const FNetClockStatus& Status);

private:
	bool IsServer() const;
	/** UTC in ticks since 1970 minus the server's time became this. */
	void Note(int64 ZeroTicks, int64 Epoch);

	double ServerErrorMs = -1.0;
	/** Server: when this machine's UTC was last read, in ticks of its clock, and how far the two instants may
	 * have been apart. */
	int64 ObservedTicks = 0;
	double UncertaintyMs = 0.0;
	/** UTC minus the server's time, in ticks, and the run of the server's clock. Zero: not known. */
	int64 KnownZeroTicks = 0;
	int64 KnownEpoch = 0;
};
