// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "CoreMinimal.h"
#include "NetClock/Exchange/NetClockVerdict.h"
#include "NetClockExchange.generated.h"

class APlayerController;
class UWorld;

/** Server: NetClock found something about a player's clock. */
DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(
	FNetClockSuspected, APlayerController*, Player, FNetClockVerdict, Verdict);
DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockFrameEnded, UWorld*);

/**
 * The exchange of one world. At the end of each frame a client asks the server, and a server answers its
 * players. A server also gives a component to every player who joins, and watches the players' clocks.
 */
UCLASS()
class NETCLOCK_API UNetClockExchange : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** The exchange of the world that an object belongs to, or null. */
	static UNetClockExchange* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/**
	 * Server: a player's clock ran fast or slow, or was set. The verdict is Likely or Proven. It comes again
	 * for each finding. Delay, loss and stalls alone do not raise it.
	 */
	UPROPERTY(BlueprintAssignable, Category = "NetClock|Players")
	FNetClockSuspected OnPlayerClockSuspected;

	/**
	 * Server: the verdict about a player's clock, with the evidence.
	 *
	 * @param Player The player's controller, on the server.
	 */
	UFUNCTION(BlueprintPure, Category = "NetClock|Players", meta = (Keywords = "cheat speed hack clock player"))
	FNetClockVerdict GetPlayerVerdict(const APlayerController* Player) const;

	/**
	 * Server: ignores a player's clock for some seconds, from 0 to 3600, and drops what was found in the last
	 * minute. For machines that may sleep, because the game allows it.
	 *
	 * @param Player The player's controller, on the server.
	 * @param Seconds How long, in seconds of real time.
	 */
	UFUNCTION(BlueprintCallable, Category = "NetClock|Players", meta = (DisplayName = "Excuse Player Clock (s)", Keywords = "cheat speed hack clock player"))
	void ExcusePlayerClockSeconds(APlayerController* Player, double Seconds);

	/** Server: the numbers of probes that it answered, and that it dropped as too many, in the newest
	 * frame. */
	int32 GetAnsweredInFrame() const { return AnsweredInFrame; }
	int32 GetDroppedInFrame() const { return DroppedInFrame; }

	/** Called when NetClock has done its work in a frame of a world. For tools that show the frame. */
	static FNetClockFrameEnded OnFrameEnded;

private:
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void AskServer();
	void FollowLink();
	void ServePlayers(uint32 ChangedClocks);

	int32 AnsweredInFrame = 0;
	int32 DroppedInFrame = 0;
	FDelegateHandle PostActorTickHandle;
};
