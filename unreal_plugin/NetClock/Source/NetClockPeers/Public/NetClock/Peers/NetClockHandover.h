// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockHandover.generated.h"

class UNetClockSession;
class UWorld;

/** The result of continuing the time of a previous server. */
UENUM(BlueprintType)
enum class ENetClockContinuation : uint8
{
	/** No continuation was requested. */
	None,
	/** This machine keeps showing the time. The time continues if this machine becomes the server or if the
	 * next server continues it. */
	Kept,
	/** Server: this server continues the previous server's time and announces that to all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Failed because this machine does not know a previous server's time. */
	NotSynced,
	/** Failed because a number is out of range, or the dispersion exceeds the library's limit. */
	OutOfRange,
	/** Failed because this server has already served its own time to players or has prepared a start. */
	TooLate,
	/** Client: the new server serves a different time, so a new clock began. */
	OtherServer,
	/** Failed because the NetClock library is missing on this machine. The log contains the reason. */
	NoLibrary
};

/** Identifies the time that a server serves, and how far it may differ from the timescale. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockAuthority
{
	GENERATED_BODY()

	/** Identifies the server's clock. It changes when the clock restarts. Zero if it is unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Identifies the timescale. The epoch of the first server that served the timescale, or a number that
	 * you chose for a fleet. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** The dispersion, that is, how far the server's clock may differ from the timescale, in ms. Handovers
	 * and drift increase it. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};

/** Reports whether the time continues, on the server or on a client of a new server. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockContinuationDecided, ENetClockContinuation, Result, double, DispersionMs);

/**
 * Continues a server's time when a player's machine takes over from the host, or when a match moves to
 * another server of a fleet. The shown time does not go backwards, and its error stays bounded.
 *
 * There is one object per game instance, so you can call it before the new world opens.
 */
UCLASS()
class NETCLOCKPEERS_API UNetClockHandover : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the handover of the game that an object belongs to, or null. */
	static UNetClockHandover* Of(const UObject* WorldContextObject);

	/**
	 * Keeps showing the time when the host leaves and the game continues. Call it on every machine before the
	 * next world opens. The new server then serves that time, and the machines that join it keep the time.
	 * Returns Kept, or Continued if this machine is already a server. If this machine does not know the time,
	 * it returns NotSynced and uses its own time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeOfPreviousServer();

	/**
	 * Starts to serve the time of an external source. Use it on the servers of a fleet, before the first
	 * player joins. All servers with the same timescale serve the same time. Call it again every few seconds
	 * to update the difference between this server's clock and the source. This changes the dispersion, not
	 * the time.
	 *
	 * @param Timescale The number of the timescale, which all servers of the fleet share.
	 * @param OutsideTicks The time of the source at this moment, in ticks of 100 ns.
	 * @param ErrorBoundMs The maximum error of OutsideTicks, in ms.
	 */
	ENetClockContinuation TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs);

	/** Returns the result so far. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation GetContinuation() const { return Continuation; }

	/** Returns which server's time this machine shows, and how far it may currently differ from the
	 * timescale. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	FNetClockAuthority GetTimeAuthority() const;

	/**
	 * For clients with their own transport. Applies the server's result of GetTimeAuthority(). On other
	 * clients, the component does this. Returns false if the server serves another timescale.
	 */
	bool LearnTimeAuthority(const FNetClockAuthority& Authority);

	/** Called when it is known whether the time continues. DispersionMs is added to the error bound. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Host Migration")
	FNetClockContinuationDecided OnContinuationDecided;

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

private:
	ENetClockContinuation Refuse(ENetClockContinuation Why);
	/** Server: continues the kept time. Called at the start of each frame, and before the first frame. */
	void BeginServing(UNetClockSession& Session);
	/** Client: the new server continues the time, or a new clock was created. */
	void Follow(bool bFollows);
	void Decide(ENetClockContinuation Result);
	/** Starts to serve a timescale. OffsetTicks is the timescale minus this machine's clock. */
	void Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs);
	/** Server: returns which time is served, and how far it may currently differ from the timescale. */
	FNetClockAuthority GetServed() const;
	/** Client: finds which server's time the clock shows. Returns false until the clock is synced. */
	bool GetFollowed(FNetClockAuthority& Authority) const;
	/** Server: announces its authority to the players. */
	void StateAuthority() const;
	bool IsServerWorld() const;
	bool IsTooLate() const;
	void OnFrameEnding(UWorld* World);
	UNetClockSession* GetSession() const;

	ENetClockContinuation Continuation = ENetClockContinuation::None;
	/** Server: the authority of the served clock, and when its dispersion was set, if the server serves a
	 * timescale other than its own. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	/** True if this machine keeps the time until the next world determines whether it continues. */
	bool bWaits = false;
	bool bListens = false;
	FDelegateHandle FrameEndingHandle;
};
