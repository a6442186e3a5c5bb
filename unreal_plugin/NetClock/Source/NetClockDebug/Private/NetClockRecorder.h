// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Serialization/Archive.h"
#include "Templates/UniquePtr.h"

/**
 * Writes a recording's lines to files in the project's Saved/NetClock folder, for `lab report`. Each clock
 * gets its own file, and the recorder never overwrites a file. It stops when the recording has reached its
 * maximum length or the disk is full. Use this class on the game thread.
 */
class FNetClockRecorder
{
public:
	/** The maximum number of lines in a recording, across all of its files. A recording of this length takes
	 * 100 MB, and lasts 34 hours at 8 exchanges per second. The limit prevents a server from filling the
	 * disk. */
	static constexpr int64 DefaultMaxLines = 1000000;

	/** Creates a file, named after the date if Name is empty. On failure, Message contains the reason. */
	static TSharedPtr<FNetClockRecorder> Open(
		const FString& Name, FString& Message, int64 MaxLines = DefaultMaxLines);

	FNetClockRecorder() = default;
	~FNetClockRecorder();
	FNetClockRecorder(const FNetClockRecorder&) = delete;
	FNetClockRecorder& operator=(const FNetClockRecorder&) = delete;

	/** Adds a line about something that arrived at this local time. */
	void Add(const FString& Line, int64 Arrived);

	void BeginNextClock();

	/** Finishes the file. Returns false if it could not be written completely. */
	bool Close();

	bool IsOpen() const { return Writer.IsValid(); }

	/** Returns the absolute path of the latest file. */
	const FString& GetFile() const { return File; }

private:
	bool BeginFile();
	void Append(const FString& Line);
	bool Write();

	FString BaseName;
	FString File;
	TUniquePtr<FArchive> Writer;
	TArray<uint8> Buffer;
	int64 WrittenTicks = 0;
	int64 LinesLeft = 0;
};
