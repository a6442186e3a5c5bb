// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockHandover.generated.h"

class UNetClockComponent;
class UNetClockSession;
class UWorld;

namespace netclock
{
	class adoption;
}

/** The result of continuing the time of a previous server. */
UENUM(BlueprintType)
enum class ENetClockContinuation : uint8
{
	/** No continuation was requested. */
	None,
	/** This machine continues to show the time. The next server decides whether the time continues; if this
	 * machine becomes the server, it does. */
	Kept,
	/** Server: it requests the time from players, and serves no time until the result is known. */
	Asking,
	/** Server: it continues the previous server's time, and announces that to all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Not done: this machine does not know a previous server's time. */
	NotSynced,
	/** Not done: too few players answered. */
	TooFew,
	/** Not done: the answers contradict each other, and more than Liars of them would have to be wrong. */
	NoAgreement,
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
	 * Requests the time from the players. Use it on a server that does not know the time, or does not know it
	 * accurately enough. The server serves no time until enough players have answered, or the patience ends.
	 * To tolerate wrong answers, it needs 2 * Liars + 1 answers, unless this machine knows the time itself.
	 *
	 * @param Timescale The timescale from Get Time Authority on any machine. 0 stands for the timescale that
	 * this machine knows.
	 * @param Players The number of answers to wait for, from 1 to 64.
	 * @param Liars The number of answers that may be wrong, from 0 to 31.
	 * @param PatienceSeconds The longest wait after the world began, in seconds, from 0.1 to 60.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeWithPlayers(
		int64 Timescale, int32 Players, int32 Liars = 1, double PatienceSeconds = 5.0);

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

	/** Returns true while a server requests the time from players and has no time to serve yet. */
	bool IsAsking() const { return Adoption.IsValid(); }

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

private:
	/** A request that waits for the next world. */
	struct FRequest
	{
		bool bIsThere = false;
		int64 Timescale = 0;
		int32 Players = 0;
		int32 Liars = 0;
		double PatienceSeconds = 0.0;
	};

	ENetClockContinuation Begin(const FRequest& Wanted);
	ENetClockContinuation Refuse(ENetClockContinuation Why);
	/** Server: starts and decides the request. Called at the start of each frame, and before the first
	 * frame. */
	void BeginServing(UNetClockSession& Session);
	/** Client: the new server continues the time, or a new clock was created. */
	void Follow(bool bFollows);
	void Decide(ENetClockContinuation Result);
	void Settle();
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
	/** Handles a datagram from the other end. Returns true if it belongs to a handover. */
	static bool Take(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived);
	/** Server: handles a player's datagram while it requests the time. */
	void TakeFromPlayer(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived);
	void OnFrameEnding(UWorld* World);
	UNetClockSession* GetSession() const;

	static const bool bTakes;

	ENetClockContinuation Continuation = ENetClockContinuation::None;
	/** Server: the authority of the served clock, and when its dispersion was set, if the server serves a
	 * timescale other than its own. */
	FNetClockAuthority Served;
	int64 ServedTicks = 0;
	FRequest Request;
	TSharedPtr<netclock::adoption> Adoption;
	bool bListens = false;
	int64 Deadline = 0;
	/** Server: the players who answered. The library identifies them by their index here, and a new player
	 * takes the index of a player who left. */
	struct FAsked
	{
		TWeakObjectPtr<UNetClockComponent> Player;
		bool bAnswered = false;
	};
	TArray<FAsked> Players;
	/** Client: the latest question, and the component through which it arrived. */
	TArray<uint8> Question;
	TWeakObjectPtr<UNetClockComponent> Asked;
	FDelegateHandle FrameEndingHandle;
};
