// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Handover/NetClockHandoverTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockHandover.generated.h"

class FNetClockAdoption;
class UNetClockComponent;
class UNetClockSession;
struct FNetClockDatagram;

/** Going on with a previous server's time was decided: on the server, or on a client that has another server. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(FNetClockContinuationDecided, ENetClockContinuation, Result, double, DispersionMs);

/**
 * A time that outlives its server: the host leaves and a player's machine takes over, or a match moves to another server of
 * a fleet. The time that is shown goes on: it does not go back, and its error stays bounded.
 *
 * One for each game instance, so that it can be told before the new world is opened.
 */
UCLASS()
class NETCLOCK_API UNetClockHandover : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/**
	 * The host is gone, or about to be, and the game goes on: call it on every machine, before the next world is opened. The
	 * time goes on to be shown; who becomes the server serves it, and who joins that server keeps it. Kept, or Continued if
	 * this is a server already; NotSynced if this machine knows no time: it then has one of its own, as always.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Handover")
	ENetClockContinuation ContinueTimeOfPreviousServer();

	/**
	 * The same for a server that knows no time, or would know it better: it asks players who still do. It is decided once so
	 * many of Players answered, or PatienceSeconds (0.1 to 60) after its world began; until then nobody is told the time.
	 * Liars may be wrong, up to 31, and it takes 2 * Liars + 1 answers, unless this machine knows the time itself.
	 * Timescale names the time, as Get Time Authority said on any machine; zero: the one that this machine knows.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Handover")
	ENetClockContinuation ContinueTimeWithPlayers(int64 Timescale, int32 Players, int32 Liars = 1, double PatienceSeconds = 5.0);

	/**
	 * Server of a fleet, before its first player: shows the time of an outside source from now on, which says OutsideTicks (of
	 * 100 ns) now, give or take ErrorBoundMs. All servers that name the same Timescale show the same time. Call it again
	 * every few seconds to say how far the source and this server's clock are apart now: what is shown keeps its pace.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Handover")
	ENetClockContinuation TakeTimeFrom(int64 Timescale, int64 OutsideTicks, double ErrorBoundMs);

	/** What became of it, so far. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Handover")
	ENetClockContinuation GetContinuation() const { return Continuation; }

	/** Whose time is shown on this machine, and how far it may be off the timescale by now. */
	UFUNCTION(BlueprintPure, Category = "NetClock|Handover")
	FNetClockAuthority GetTimeAuthority() const;

	/** Client that carries requests and replies by itself: what Get Time Authority said on the server. Others are told by the component. */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Handover")
	bool LearnTimeAuthority(const FNetClockAuthority& Authority);

	/** It was decided; the dispersion is how far the time may be off that of before, besides the error bound. */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Handover")
	FNetClockContinuationDecided OnContinuationDecided;

	/** A server's world: what was to begin with it begins. At the start of each of its frames, and before. */
	void BeginServing();

	/** True while a server does not know yet whose time it shows. */
	bool IsAsking() const { return Adoption.IsValid(); }

	/** Server: the question to a player whose request arrived, if one is due. */
	bool Ask(UNetClockComponent& Player, FNetClockDatagram& Question);

	/** Server: what a player answered. */
	void Hear(UNetClockComponent& Player, const FNetClockDatagram& Answer, int64 Arrived);

	/** Client: the clock is that of the new server, or a new one began. */
	void Decide(ENetClockContinuation Result);

	virtual void Deinitialize() override;

private:
	/** What was asked for and waits for a world. */
	struct FPlan
	{
		bool bIsThere = false;
		int64 Timescale = 0;
		int32 Players = 0;
		int32 Liars = 0;
		double PatienceSeconds = 0.0;
	};

	ENetClockContinuation Begin(const FPlan& Wanted);
	ENetClockContinuation Refuse(ENetClockContinuation Why);
	void Settle();
	bool IsServerWorld() const;
	bool IsTooLate() const;
	/** Its place among the players, or -1. */
	int32 Find(const UNetClockComponent& Player) const;
	UNetClockSession* GetSession() const;

	ENetClockContinuation Continuation = ENetClockContinuation::None;
	FPlan Plan;
	TSharedPtr<FNetClockAdoption> Adoption;
	int64 Deadline = 0;
	/** By their places they are known: who comes back takes the place that was left. */
	TArray<TWeakObjectPtr<UNetClockComponent>> Players;
};
