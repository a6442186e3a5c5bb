// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockHandover.generated.h"

class UNetClockSession;
class UWorld;

/** The result of trying to continue a previous server's time. */
UENUM(BlueprintType)
enum class ENetClockContinuation : uint8
{
	/** No continuation has been requested. */
	None,
	/** This machine keeps displaying the time until it becomes the server or joins the next server. */
	Kept,
	/** Server: this server continues the previous server's time and has announced this to all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Failed because this machine does not know a previous server's time. */
	NotSynced,
	/** Failed because a parameter is out of range or the dispersion exceeds the library's limit. */
	OutOfRange,
	/** Failed because this server has already served its own time to players or has prepared a start. */
	TooLate,
	/** Client: the new server serves a different time, so a new clock was created. */
	OtherServer,
	/** Failed because the NetClock library is missing on this machine. The log explains why. */
	NoLibrary
};

/** Describes the time that a server serves and its possible deviation from the timescale. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockAuthority
{
	GENERATED_BODY()

	/** Identifies the server's clock, and changes when that clock restarts. The value is zero if the clock is
	 * unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Identifies the timescale. This is the epoch of the first server that served the timescale, or a number
	 * that you chose for a fleet. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** How far the server's clock may be from the timescale, in ms. Each handover increases this value, and
	 * so does the drift of the server's clock. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};

/** A server, or a client of a new server, has learned whether the time continues. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockContinuationDecided, ENetClockContinuation, Result, double, DispersionMs);

/**
 * Continues a server's time when a player's machine takes over from the host, or when a match moves to
 * another server of a fleet. The displayed time does not go backwards, and its error stays bounded.
 *
 * There is one object per game instance, so you can use it before the new world opens.
 */
UCLASS()
class NETCLOCKPEERS_API UNetClockHandover : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the handover of the object's game instance, or null. */
	static UNetClockHandover* Of(const UObject* WorldContextObject);

	/**
	 * Keeps displaying the time when the host leaves and the game continues. Call this on every machine
	 * before the next world opens. The new server then serves the same time, and the machines that join it
	 * keep the time. Returns Kept, or Continued if this machine is already a server. If this machine does not
	 * know the time, the node returns NotSynced, and the machine uses its own time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeOfPreviousServer();

	/**
	 * Starts serving the time of an external source. Use this on the servers of a fleet, before the first
	 * player joins. All servers with the same timescale serve the same time. Call this again every few
	 * seconds to update the difference between this server's clock and the source. These updates change the
	 * dispersion but not the time.
	 *
	 * @param Timescale The number of the timescale that all servers of the fleet share.
	 * @param OutsideTicks The current time of the source, in ticks of 100 ns.
	 * @param ErrorBoundMs The maximum error of OutsideTicks, in ms.
	 */
	ENetClockContinuation TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs);

	/** Returns the current result. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation GetContinuation() const { return Continuation; }

	/** Returns which server's time this machine displays, and how far that time may now be from the
	 * timescale. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	FNetClockAuthority GetTimeAuthority() const;

	/** Called once it is known whether the time continues. To get the error bound relative to the timescale,
	 * add DispersionMs to the clock's error bound. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Host Migration")
	FNetClockContinuationDecided OnContinuationDecided;

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

private:
	ENetClockContinuation Refuse(ENetClockContinuation Why);
	/** Server: continues the kept time. Called at the start of each frame, and before the first frame. */
	void BeginServing(UNetClockSession& Session);
	void Follow(bool bFollows);
	void Decide(ENetClockContinuation Result);
	/** Starts serving a timescale. OffsetTicks is the timescale minus this machine's clock. */
	void Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs);
	/** Server: returns which time is served, and its possible deviation from the timescale now. */
	FNetClockAuthority GetServed() const;
	/** Client: gets the server whose time the clock displays. Returns false until the clock is synced. */
	bool GetFollowed(FNetClockAuthority& Authority) const;
	void StateAuthority() const;
	bool IsServerWorld() const;
	bool IsTooLate() const;
	void OnFrameEnding(UWorld* World);
	UNetClockSession* GetSession() const;

	ENetClockContinuation Continuation = ENetClockContinuation::None;
	/** Server: the authority of the served clock, and when its dispersion was set. Not used while the server
	 * serves its own timescale. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	/** Whether this machine keeps the time and does not know yet if the next world will continue it. */
	bool bWaits = false;
	bool bListens = false;
	FDelegateHandle FrameEndingHandle;
};
