// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockRecording.generated.h"

class FNetClockRecorder;
class FNetClockTap;
class UNetClockSession;
class UWorld;

/** Records a client's exchanges, and what its server announces. There is one for each game instance. */
UCLASS()
class UNetClockRecording : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	/** The recording of the game that an object belongs to, or null. */
	static UNetClockRecording* Of(const UObject* WorldContextObject);

	virtual void Deinitialize() override;

	/**
	 * Starts to write every exchange to a file below Saved/NetClock, for `lab report`.
	 * You can call it before there is a connection. The recording continues through travel; each server gets
	 * its own file. Name may be empty. Message names the file, or gives the reason if the result is false.
	 */
	bool Start(const FString& Name, FString& Message);

	/** Ends the recording and completes its file. Message says what is in it. False if there is no complete
	 * recording. */
	bool Stop(FString& Message);

	/** The newest file of a recording, and the number of exchanges in it. False if there is no recording. */
	bool Get(FString& File, int64& Exchanges) const;

private:
	void OnFrameEnded(UWorld* World);
	void OnEnding(UNetClockSession& Session);
	void Follow(UNetClockSession& Session);
	void Unfollow(UNetClockSession& Session);
	void RecordExchanges();
	void RecordNews(UNetClockSession& Session);

	TSharedPtr<FNetClockRecorder> Recorder;
	/** The library may use it as long as a guest lives, on any thread. */
	TSharedPtr<FNetClockTap> Tap;
	/** The guest that is recorded. Zero: none. */
	int32 Generation = 0;
	/** What was recorded last. */
	TArray<uint8> Segment;
	int64 StartTicks = 0;
	FDelegateHandle FrameEndedHandle;
	FDelegateHandle EndingHandle;
};
