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
	/** This machine continues to show the time. The next server decides whether the time continues; if this
	 * machine becomes the server, it does. */
	Kept,
	/** Server: it continues the previous server's time, and announces that to all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Not done: this machine does not know a previous server's time. */
	NotSynced,
	/** Not done: a number is out of range, or the dispersion is too large to state. */
	OutOfRange,
	/** Not done: this server has already served its own time to players, or has prepared a start. */
	TooLate,
	/** Client: the new server serves a different time, so a new clock began. */
	OtherServer,
	/** Not done: the NetClock library is missing on this machine. The log contains the reason. */
	NoLibrary
};

/** Identifies the time that a server serves: the run of its clock, the timescale, and how far the clock may
 * differ from the timescale. */
USTRUCT(BlueprintType)
struct NETCLOCKPEERS_API FNetClockAuthority
{
	GENERATED_BODY()

	/** Identifies the run of the server's clock. Zero if it is unknown. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 ServerEpoch = 0;

	/** Identifies the timescale: the epoch of the first server that served it, or a number that you chose for
	 * a fleet. It may be older than the server. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	int64 Timescale = 0;

	/** The dispersion: how far the server's clock may differ from the timescale, in ms. Handovers and drift
	 * add to it. */
	UPROPERTY(BlueprintReadWrite, Category = "NetClock")
	double DispersionMs = 0.0;
};

/** The decision whether the time continues, on the server or on a client of a new server. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockContinuationDecided, ENetClockContinuation, Result, double, DispersionMs);

/**
 * Continues a server's time when the server changes: the host leaves and a player's machine takes over, or a
 * match moves to another server of a fleet. The shown time does not go backwards, and its error stays
 * bounded.
 *
 * There is one object per game instance, so that you can call it before the new world opens.
 */
UCLASS()
class NETCLOCKPEERS_API UNetClockHandover : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the handover of the game that an object belongs to, or null. */
	static UNetClockHandover* Of(const UObject* WorldContextObject);

	/**
	 * Continues to show the time when the host leaves and the game continues. Call it on every machine before
	 * the next world opens. The machine that becomes the server then serves that time, and the machines that
	 * join that server keep it. Returns Kept, or Continued if this is a server already. Returns NotSynced if
	 * this machine does not know the time, and then uses its own time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeOfPreviousServer();

	/**
	 * Serves the time of an external source from now on. Use it on the servers of a fleet, before the first
	 * player joins. All servers with the same timescale serve the same time. Call it again every few seconds
	 * to update how far this server's clock differs from the source. This changes the dispersion, not the
	 * time.
	 *
	 * @param Timescale The timescale to serve: a number that all servers of the fleet share.
	 * @param OutsideTicks The time of the source at this moment, in ticks of 100 ns.
	 * @param ErrorBoundMs How far OutsideTicks may be off, in ms.
	 */
	ENetClockContinuation TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs);

	/** Returns the result so far. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation GetContinuation() const { return Continuation; }

	/** Returns whose time this machine shows, and how far that time may differ from the timescale at
	 * present. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	FNetClockAuthority GetTimeAuthority() const;

	/**
	 * Client with its own transport: applies the result of GetTimeAuthority() on the server. On other
	 * clients, the component does this. Returns false if the server serves another timescale.
	 */
	bool LearnTimeAuthority(const FNetClockAuthority& Authority);

	/** Called when it is decided whether the time continues. DispersionMs, in ms, adds to the error bound. */
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
	/** Serves a timescale from now on. OffsetTicks is the timescale minus this machine's clock. */
	void Serve(int64 Timescale, int64 OffsetTicks, double DispersionMs);
	/** Server: returns whose time is served, and how far it may differ from the timescale at present. */
	FNetClockAuthority GetServed() const;
	/** Client: finds whose time the clock shows. Returns false until it is synced. */
	bool GetFollowed(FNetClockAuthority& Authority) const;
	/** Server: tells the players whose time it serves. */
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
	/** This machine keeps the time, and the next world decides about it. */
	bool bWaits = false;
	bool bListens = false;
	FDelegateHandle FrameEndingHandle;
};
