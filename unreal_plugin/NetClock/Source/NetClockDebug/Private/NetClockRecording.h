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
	/** Returns the recording of the game that an object belongs to, or null. */
	static UNetClockRecording* Of(const UObject* WorldContextObject);

	virtual void Deinitialize() override;

	/**
	 * Starts to write every exchange to a file below Saved/NetClock, for `lab report`. You can call it before
	 * there is a connection. The recording continues through travel, and each server has its own file. Name
	 * may be empty. Message contains the file, or the reason if the result is false.
	 */
	bool Start(const FString& Name, FString& Message);

	/** Ends the recording and completes its file. Message describes the file. Returns false if there is no
	 * complete recording. */
	bool Stop(FString& Message);

	/** Finds the latest file of a recording, and the number of exchanges in it. Returns false if there is no
	 * recording. */
	bool Get(FString& File, int64& Exchanges) const;

private:
	void OnFrameEnded(UWorld* World);
	void OnEnding(UNetClockSession& Session);
	void Follow(UNetClockSession& Session);
	void Unfollow(UNetClockSession& Session);
	void RecordExchanges();
	void RecordNews(UNetClockSession& Session);

	TSharedPtr<FNetClockRecorder> Recorder;
	/** The library may use it on any thread, until the guest is destroyed. */
	TSharedPtr<FNetClockTap> Tap;
	/** The generation of the recorded guest. Zero if there is none. */
	int32 Generation = 0;
	/** The latest recorded values. */
	TArray<uint8> Segment;
	int64 StartTicks = 0;
	FDelegateHandle FrameEndedHandle;
	FDelegateHandle EndingHandle;
};
