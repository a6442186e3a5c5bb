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
	 * there is a connection. The recording continues through travel, with a separate file for each server. If
	 * Name is empty, the file is named after the date. Returns a message with the file name, or with the
	 * reason if nothing is recorded.
	 */
	FString Start(const FString& Name);

	/** Finishes the recording. Returns a message about the file. */
	FString Stop();

	/** Describes the latest file and its number of exchanges. The text is empty while nothing is recorded. */
	FString Describe() const;

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
	/** The number of exchanges in the latest file. */
	int64 Exchanges = 0;
	/** The announcements that have been recorded last. */
	uint64 AuthorityEpoch = 0;
	uint64 AuthorityTimescale = 0;
	TArray<uint8> Segment;
	int64 StartTicks = 0;
	FDelegateHandle FrameEndedHandle;
	FDelegateHandle EndingHandle;
};
