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
 * The exchange of one world. At the end of each frame, a client sends its due datagrams to the server, and a
 * server sends its own to its players. A server also adds a component to every player who joins.
 */
UCLASS()
class NETCLOCK_API UNetClockExchange : public UNetClockWorldSubsystem
{
	GENERATED_BODY()

public:
	/** Returns the exchange of the world that an object belongs to, or null. */
	static UNetClockExchange* Of(const UObject* WorldContextObject);

	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** Client: returns the component that sends this machine's requests, or null. In a split screen, the
	 * first player with a component sends for all players. */
	UNetClockComponent* GetAsking() const;

	/** Called at the end of a world's frame, before datagrams are sent, for modules that send some. */
	static FNetClockFrameEnded OnFrameEnding;

	/** Called at the end of a world's frame, after datagrams are sent, for tools that show the frame. */
	static FNetClockFrameEnded OnFrameEnded;

	/** Called when a tool shows the status of a world, for modules that add lines. */
	static FNetClockReporting OnReporting;

private:
	void OnPostActorTick(UWorld* World, ELevelTick TickType, float DeltaSeconds);
	void PrepareToServe();
	void SendToServer();
	void SendToPlayers();

	FDelegateHandle PostActorTickHandle;
};
