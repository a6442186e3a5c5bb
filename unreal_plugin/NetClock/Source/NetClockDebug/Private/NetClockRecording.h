// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockRecording.generated.h"

class FNetClockRecorder;
class FNetClockTap;
class UNetClockSession;
class UWorld;

/** Records a client's exchanges and the server's announcements. There is one object per game instance. */
UCLASS()
class UNetClockRecording : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	static UNetClockRecording* Of(const UObject* WorldContextObject);

	virtual void Deinitialize() override;

	/**
	 * Starts writing every exchange to a file in Saved/NetClock, for `lab report`. You can call this before
	 * there is a connection. The recording continues through travel, with a separate file for each server.
	 * Name may be empty. Message receives the file name, or the reason if the function returns false.
	 */
	bool Start(const FString& Name, FString& Message);

	/** Finishes the recording, and describes the file. Returns false if no recording is complete. */
	bool Stop(FString& Message);

	/** Reads the latest file and its number of exchanges. Returns false while nothing is recorded. */
	bool Get(FString& File, int64& Exchanges) const;

private:
	void OnFrameEnded(UWorld* World);
	void OnEnding(UNetClockSession& Session);
	void Follow(UNetClockSession& Session);
	void Unfollow(UNetClockSession& Session);
	void RecordExchanges();
	void RecordNews(UNetClockSession& Session);

	TSharedPtr<FNetClockRecorder> Recorder;
	/** The library may use the tap on any thread until the guest is destroyed. */
	TSharedPtr<FNetClockTap> Tap;
	int32 Generation = 0;
	TArray<uint8> Segment;
	int64 StartTicks = 0;
	FDelegateHandle FrameEndedHandle;
	FDelegateHandle EndingHandle;
};
