// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "Serialization/Archive.h"

/** One exchange of a client, with the status of its reply. The fields are the columns of a recording. */
struct FNetClockSample
{
	int32 Status = 0;
	uint64 Id = 0;
	uint64 Epoch = 0;
	int64 ClientSent = 0;
	int64 ServerReceived = 0;
	int64 ServerSent = 0;
	int64 ClientReceived = 0;
	int32 Path = 0;
	uint32 ServerWait = 0;
	uint32 ClientWait = 0;
};

/**
 * Writes a client's exchanges, and what its server announced, to files below Saved/NetClock of the project.
 * `lab report` reads them. Each clock has a file of its own. The recorder never overwrites a
 * file. It stops when the recording is long enough, or when the disk is full. Use it on the game thread.
 */
class FNetClockRecorder
{
public:
	/** Most lines of one recording, in all its files: exchanges for 34 hours at 8 a second, 100 MB. A server
	 * must not be able to fill a disk. */
	static constexpr int64 DefaultMaxLines = 1000000;

	/** Creates a file. If Name is empty, the date names it. If the file cannot be written, the result is null
	 * and Message gives the reason. */
	static TSharedPtr<FNetClockRecorder> Open(
		const FString& Name, FString& Message, int64 MaxLines = DefaultMaxLines);

	FNetClockRecorder() = default;
	~FNetClockRecorder();
	FNetClockRecorder(const FNetClockRecorder&) = delete;
	FNetClockRecorder& operator=(const FNetClockRecorder&) = delete;

	void Add(const FNetClockSample& Sample);

	/** The server announced these, at this local time. An authority that the file has already is left out. */
	void AddAuthority(int64 Arrived, uint64 Epoch, uint64 Timescale, int64 DispersionTicks);
	void AddSegment(int64 Arrived, const TArray<uint8>& Datagram);
	/** INT64_MIN: the start of this version is called off. */
	void AddStart(int64 Arrived, uint32 Version, uint64 Epoch, int64 AtTicks);

	/** The following exchanges are those of another clock. */
	void BeginNextClock();

	/** Completes the file. False if it could not be written completely. */
	bool Close();

	bool IsOpen() const { return Writer.IsValid(); }

	/** The newest file, as an absolute path, and the number of exchanges in it. */
	const FString& GetFile() const { return File; }
	int64 GetExchanges() const { return Exchanges; }

private:
	bool BeginFile();
	void Append(const FString& Line);
	/** Adds a line that was about this time. */
	void AddLine(const FString& Line, int64 Arrived);
	bool Write();

	FString BaseName;
	FString File;
	TUniquePtr<FArchive> Writer;
	TArray<uint8> Buffer;
	int64 WrittenTicks = 0;
	int64 Exchanges = 0;
	/** Until it ends, in all files. */
	int64 LinesLeft = 0;
	/** Of the newest authority in the file. */
	uint64 AuthorityEpoch = 0;
	uint64 AuthorityTimescale = 0;
};
