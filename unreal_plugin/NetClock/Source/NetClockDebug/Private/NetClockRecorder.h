// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Serialization/Archive.h"
#include "Templates/UniquePtr.h"

struct netclock_sample;

/**
 * Writes a client's exchanges and the server's announcements to files in the project's Saved/NetClock folder,
 * for `lab report`. Each clock gets its own file, and the recorder never overwrites a file. It stops when the
 * recording has reached its maximum length or the disk is full. Use this class on the game thread.
 */
class FNetClockRecorder
{
public:
	/** The maximum number of lines in a recording, across all of its files. This is enough for 34 hours at 8
	 * exchanges per second, takes 100 MB, and prevents a server from filling the disk. */
	static constexpr int64 DefaultMaxLines = 1000000;

	/** Creates a file, named after the date if Name is empty. On failure, Message is the reason. */
	static TSharedPtr<FNetClockRecorder> Open(
		const FString& Name, FString& Message, int64 MaxLines = DefaultMaxLines);

	FNetClockRecorder() = default;
	~FNetClockRecorder();
	FNetClockRecorder(const FNetClockRecorder&) = delete;
	FNetClockRecorder& operator=(const FNetClockRecorder&) = delete;

	void Add(const netclock_sample& Sample);

	/** Adds an announcement that arrived at this local time, unless the file has its authority. */
	void AddAuthority(int64 Arrived, uint64 Epoch, uint64 Timescale, int64 DispersionTicks);
	void AddSegment(int64 Arrived, const TArray<uint8>& Datagram);
	/** INT64_MIN means that the start with this version was cancelled. */
	void AddStart(int64 Arrived, uint32 Version, uint64 Epoch, int64 AtTicks);

	void BeginNextClock();

	/** Finishes the file. Returns false if it could not be written completely. */
	bool Close();

	bool IsOpen() const { return Writer.IsValid(); }

	/** Returns the absolute path of the latest file and the number of exchanges in it. */
	const FString& GetFile() const { return File; }
	int64 GetExchanges() const { return Exchanges; }

private:
	bool BeginFile();
	void Append(const FString& Line);
	void AddLine(const FString& Line, int64 Arrived);
	bool Write();

	FString BaseName;
	FString File;
	TUniquePtr<FArchive> Writer;
	TArray<uint8> Buffer;
	int64 WrittenTicks = 0;
	int64 Exchanges = 0;
	int64 LinesLeft = 0;
	uint64 AuthorityEpoch = 0;
	uint64 AuthorityTimescale = 0;
};
