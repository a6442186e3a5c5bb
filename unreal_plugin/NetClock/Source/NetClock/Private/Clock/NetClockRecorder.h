// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Serialization/Archive.h"

/** An exchange that a client was told of, and what became of it. The fields are the columns of a recording. */
struct FNetClockSample
{
	int32 Outcome = 0;
	uint64 Id = 0;
	uint64 Epoch = 0;
	int64 ClientSent = 0;
	int64 ServerReceived = 0;
	int64 ServerSent = 0;
	int64 ClientReceived = 0;
};

/**
 * Writes what a client was told into files below Saved/NetClock of the project, which `lab replay --recording` reads. A
 * file is of one clock: what follows on another connection goes into the next file. Never overwrites, and ends by itself
 * when there is enough of it or the disk is full. For the game thread.
 */
class FNetClockRecorder
{
public:
	/** Begins a file. An empty name: one with the date. Null, with the reason in Message, if it cannot be written. */
	static TSharedPtr<FNetClockRecorder> Open(const FString& Name, FString& Message);

	FNetClockRecorder() = default;
	~FNetClockRecorder();
	FNetClockRecorder(const FNetClockRecorder&) = delete;
	FNetClockRecorder& operator=(const FNetClockRecorder&) = delete;

	void Add(const FNetClockSample& Sample);

	/** From now on another clock's exchanges follow. */
	void BeginNextClock();

	/** All of it is in the file. False if the disk did not take it. */
	bool Close();

	bool IsOpen() const { return Writer.IsValid(); }

	/** The newest file, as an absolute path, and what is in it. */
	const FString& GetFile() const { return File; }
	int64 GetExchanges() const { return Exchanges; }

private:
	bool BeginFile();
	void Append(const FString& Line);
	bool Write();

	FString BaseName;
	FString File;
	TUniquePtr<FArchive> Writer;
	TArray<uint8> Buffer;
	int64 WrittenTicks = 0;
	int64 Exchanges = 0;
	int64 ExchangesBefore = 0;
};
