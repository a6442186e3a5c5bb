// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClock/Base/NetClockWorldSubsystem.h"
#include "NetClockExchange.generated.h"

class UNetClockComponent;
class UWorld;

DECLARE_MULTICAST_DELEGATE_OneParam(FNetClockFrameEnded, UWorld*);
DECLARE_MULTICAST_DELEGATE_TwoParams(FNetClockReporting, const UWorld*, TArray<FString>& /*Lines*/);

/**
 * The exchange of one world. At the end of each frame a client sends what is due to the server, and a server
 * to its players. A server also gives a component to every player who joins.
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

	/** Client: the component by which this machine asks, or null. With a split screen, the first player who
	 * can asks for all of them. */
	UNetClockComponent* GetAsking() const;

	/** Called at the end of a frame of a world, before datagrams leave. For what has some to send. */
	static FNetClockFrameEnded OnFrameEnding;

	/** Called when NetClock has done its work in a frame of a world. For tools that show the frame. */
	static FNetClockFrameEnded OnFrameEnded;

	/** Called when a tool shows the status of a world: for lines of other modules. */
	static FNetClockReporting OnReporting;

private:
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void PrepareToServe();
	void SendToServer();
	void SendToPlayers();

	FDelegateHandle PostActorTickHandle;
};
