// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Clock/NetClockTypes.h"
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
	/** Nobody requested it. */
	None,
	/** This machine keeps showing the time. The next server decides whether it continues; if this machine
	 * becomes the server, it will. */
	Kept,
	/** Server: it asks players for the time. It tells nobody the time meanwhile. */
	Asking,
	/** Server: it continues the previous server's time and tells all clients. */
	Continued,
	/** Client: the new server continues the time. */
	Followed,
	/** Not done: this machine does not know a previous server's time. */
	NotSynced,
	/** Not done: too few players answered. */
	TooFew,
	/** Not done: the answers contradict each other, by more players than may be wrong. */
	NoAgreement,
	/** Not done: a number is out of range, or the dispersion is too large to state. */
	OutOfRange,
	/** Not done: this server has told players its own time already, or has prepared a start. */
	TooLate,
	/** Client: the new server serves another time, and a new clock began. */
	OtherServer,
	/** Not done: the NetClock library is missing on this machine. The log says why. */
	NoLibrary
};

/** It is decided whether the time continues: on the server, or on a client of a new server. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockContinuationDecided, ENetClockContinuation, Result, double, DispersionMs);

/**
 * Continues a time after its server: the host leaves and a player's machine takes over, or a match moves to
 * another server of a fleet. The shown time does not go backwards, and its error stays bounded.
 *
 * There is one for each game instance, so that you can call it before the new world opens.
 */
UCLASS()
class NETCLOCKPEERS_API UNetClockHandover : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The handover of the game that an object belongs to, or null. */
	static UNetClockHandover* Of(const UObject* WorldContextObject);

	/**
	 * Call it on every machine when the host leaves and the game goes on, before the next world opens. Each
	 * machine keeps showing the time. The machine that becomes the server serves it, and the machines that
	 * join that server keep it. Returns Kept, or Continued if this is a server already. Returns NotSynced if
	 * this machine does not know the time: it then has its own time, as always.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeOfPreviousServer();

	/**
	 * The same for a server that does not know the time, or wants to know it better: it asks the players. It
	 * decides when Players of them (1 to 64) have answered, or PatienceSeconds (0.1 to 60) after its world
	 * began. Until then it tells nobody the time. Up to Liars answers (0 to 31) may be wrong. That takes 2 *
	 * Liars + 1 answers, unless this machine knows the time itself. Timescale comes from Get Time Authority
	 * on any machine. Zero: the timescale that this machine knows.
	 *
	 * @param Timescale From Get Time Authority on any machine. 0: the timescale that this machine knows.
	 * @param Players How many answers to wait for, from 1 to 64.
	 * @param Liars How many of them may be wrong, from 0 to 31.
	 * @param PatienceSeconds The longest to wait for them, in seconds, from 0.1 to 60.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation ContinueTimeWithPlayers(
		int64 Timescale, int32 Players, int32 Liars = 1, double PatienceSeconds = 5.0);

	/**
	 * Server of a fleet, before its first player: serves the time of an outside source from now on. The
	 * source shows OutsideTicks (of 100 ns) now, within ErrorBoundMs. All servers with the same Timescale
	 * serve the same time. Call it again every few seconds to update how far this server's clock is off the
	 * source. That changes the dispersion, not the time.
	 *
	 * @param Timescale The timescale to serve: a number that all servers of the fleet share.
	 * @param OutsideTicks The time of the timescale at this moment, in ticks of 100 ns.
	 * @param ErrorBoundMs How far OutsideTicks may be off, in ms.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs);

	/** The result so far. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	ENetClockContinuation GetContinuation() const { return Continuation; }

	/** Whose time this machine shows, and how far it may be off the timescale by now. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	FNetClockAuthority GetTimeAuthority() const;

	/**
	 * Client with a transport of its own: takes what Get Time Authority returned on the server. For other
	 * clients the component does it. False if the server serves another timescale.
	 *
	 * @param Authority Whose time the new server serves, as the server gave it.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Host Migration",
		meta = (Keywords = "host migration handover"))
	bool LearnTimeAuthority(const FNetClockAuthority& Authority);

	/** It is decided whether the time continues. DispersionMs, in ms, comes on top of the error bound. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Host Migration")
	FNetClockContinuationDecided OnContinuationDecided;

	/** True while a server asks players and has no time to serve yet. */
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
	/** Server: begins and decides what was requested. Called at the start of each frame, and before the first
	 * one. */
	void BeginServing(UNetClockSession& Session);
	/** Client: the new server continues the time, or a new clock began. */
	void Follow(bool bFollows);
	void Decide(ENetClockContinuation Result);
	void Settle();
	bool IsServerWorld() const;
	bool IsTooLate() const;
	/** A datagram of the other end. True if it is one of a handover. */
	static bool Take(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived);
	/** Server: a player's, while it asks. */
	void TakeFromPlayer(UNetClockComponent& Player, const TArray<uint8>& Bytes, int64 Arrived);
	void OnFrameEnding(UWorld* World);
	UNetClockSession* GetSession() const;

	static const bool bTakes;

	ENetClockContinuation Continuation = ENetClockContinuation::None;
	FRequest Request;
	TSharedPtr<netclock::adoption> Adoption;
	bool bListens = false;
	int64 Deadline = 0;
	/** Server: those who were heard. The library knows them by their index here, and a new player takes the
	 * index of one who left. */
	struct FAsked
	{
		TWeakObjectPtr<UNetClockComponent> Player;
		bool bHeard = false;
	};
	TArray<FAsked> Players;
	/** Client: the newest question, and by whom it came. */
	TArray<uint8> Question;
	TWeakObjectPtr<UNetClockComponent> Asked;
	FDelegateHandle FrameEndingHandle;
};
