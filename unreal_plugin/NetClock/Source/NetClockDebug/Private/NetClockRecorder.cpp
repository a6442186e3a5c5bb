// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockRecorder.h"

#include "NetClock/Base/NetClockBase.h"
#include "HAL/FileManager.h"
#include "Misc/DateTime.h"
#include "Misc/Paths.h"

namespace
{
	/** The number of bytes to collect before writing them. At 8 exchanges per second, this takes about 50
	 * s. */
	constexpr int32 BufferSize = 32768;

	/** The longest time before collected bytes are written, in ticks. A crash loses no more than this. */
	constexpr int64 WriteAfterTicks = 10 * NetClock::TicksPerSecond;

	/** The maximum number of files with the same name. */
	constexpr int32 MaxFiles = 100;

	constexpr int32 MaxNameLength = 64;

	/** Returns true for a file name without a path, because all recordings are written to one folder. */
	bool IsName(const FString& Name)
	{
		for (int32 Index = 0; Index < Name.Len(); ++Index)
		{
			const TCHAR Letter = Name[Index];
			const bool bPlain = (Letter >= 'a' && Letter <= 'z') || (Letter >= 'A' && Letter <= 'Z') ||
				(Letter >= '0' && Letter <= '9');
			if (!bPlain && (Index == 0 || (Letter != '-' && Letter != '_' && Letter != '.')))
			{
				return false;
			}
		}
		return Name.Len() <= MaxNameLength;
	}
}

TSharedPtr<FNetClockRecorder> FNetClockRecorder::Open(const FString& Name, FString& Message, int64 MaxLines)
{
	if (!IsName(Name))
	{
		Message = FString::Printf(TEXT("\"%s\" is not a valid name for a recording. Use letters and digits, "
									   "with - _ . inside, and no folders."),
			*Name);
		return nullptr;
	}
	TSharedPtr<FNetClockRecorder> Recorder = MakeShared<FNetClockRecorder>();
	Recorder->LinesLeft = MaxLines;
	Recorder->BaseName = Name.IsEmpty() ? FDateTime::Now().ToString() : Name;
	Recorder->BaseName.RemoveFromEnd(TEXT(".csv"));
	if (!Recorder->BeginFile())
	{
		Message =
			FString::Printf(TEXT("%s cannot be written. Check that the folder is writable, that the disk is "
								 "not full, and that there are fewer than %d recordings of that name."),
				*Recorder->File, MaxFiles);
		return nullptr;
	}
	Message = FString::Printf(TEXT("Recording into %s"), *Recorder->File);
	return Recorder;
}

FNetClockRecorder::~FNetClockRecorder()
{
	Close();
}

bool FNetClockRecorder::BeginFile()
{
	const FString Folder =
		FPaths::ConvertRelativePathToFull(FPaths::Combine(*FPaths::ProjectSavedDir(), TEXT("NetClock")));
	IFileManager& Files = IFileManager::Get();
	Files.MakeDirectory(*Folder, true);
	for (int32 Number = 1; Number <= MaxFiles; ++Number)
	{
		const FString Name = Number == 1 ? FString::Printf(TEXT("%s.csv"), *BaseName)
										 : FString::Printf(TEXT("%s-%d.csv"), *BaseName, Number);
		File = FPaths::Combine(*Folder, *Name);
		if (!Files.FileExists(*File))
		{
			Writer = TUniquePtr<FArchive>(Files.CreateFileWriter(*File));
			break;
		}
	}
	Buffer.Reset();
	Append(TEXT("# netclock recording 4\n"));
	Append(TEXT("status,id,epoch,client_sent,server_received,server_sent,client_received,path,"));
	Append(TEXT("server_wait,client_wait\n"));
	return Writer.IsValid() && Write();
}

void FNetClockRecorder::Append(const FString& Line)
{
	// The format is plain ASCII.
	for (int32 Index = 0; Index < Line.Len(); ++Index)
	{
		Buffer.Add(static_cast<uint8>(Line[Index]));
	}
}

void FNetClockRecorder::Add(const FString& Line, int64 Arrived)
{
	if (!Writer.IsValid())
	{
		return;
	}
	Append(Line);
	--LinesLeft;
	if (Buffer.Num() >= BufferSize || Arrived - WrittenTicks >= WriteAfterTicks)
	{
		WrittenTicks = Arrived;
		Write();
	}
	if (Writer.IsValid() && LinesLeft <= 0)
	{
		UE_LOG(LogNetClock, Warning,
			TEXT("The recording has reached its maximum length. %s is complete."), *File);
		Close();
	}
}

void FNetClockRecorder::BeginNextClock()
{
	if (!Writer.IsValid() || !Close())
	{
		return;
	}
	if (BeginFile())
	{
		UE_LOG(LogNetClock, Log, TEXT("New connection: the recording continues in %s."), *File);
	}
	else
	{
		Writer.Reset();
		UE_LOG(LogNetClock, Error, TEXT("The recording ends, because %s cannot be written."), *File);
	}
}

bool FNetClockRecorder::Write()
{
	Writer->Serialize(Buffer.GetData(), Buffer.Num());
	Writer->Flush();
	Buffer.Reset();
	if (Writer->IsError())
	{
		UE_LOG(LogNetClock, Error, TEXT("%s could not be written completely. Is the disk full?"), *File);
		Writer.Reset();
		return false;
	}
	return true;
}

bool FNetClockRecorder::Close()
{
	if (!Writer.IsValid() || !Write())
	{
		return false;
	}
	const bool bWhole = Writer->Close();
	Writer.Reset();
	return bWhole;
}
