// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Clock/NetClockMemory.h"

#include "NetClock/Base/NetClockBase.h"
#include "HAL/FileManager.h"
#include "Misc/Crc.h"
#include "Misc/DateTime.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"

// The file contains the machine's state. After it follow the servers, the latest one first: for each server,
// four bytes that identify it, and its state.

namespace
{
	/** Equal to NETCLOCK_SAVED_SIZE. */
	constexpr int32 StateSize = 60;
	constexpr int32 NameSize = 4;
	constexpr int32 EntrySize = NameSize + StateSize;

	/** Few players return to more servers than this. */
	constexpr int32 MaxServers = 16;

	FString FileName()
	{
		const FString Folder =
			FPaths::ConvertRelativePathToFull(FPaths::Combine(*FPaths::ProjectSavedDir(), TEXT("NetClock")));
		return FPaths::Combine(*Folder, TEXT("Known.bin"));
	}

	/** The address is stored as a hash, so that the file does not show where a player has played. If two
	 * servers have the same hash, the file has a state for only one of them. */
	uint32 NameOf(const FString& Address)
	{
		return FCrc::StrCrc32(*Address);
	}

	uint32 NameAt(const TArray<uint8>& Bytes, int32 From)
	{
		uint32 Name = 0;
		for (int32 Index = 0; Index < NameSize; ++Index)
		{
			Name = Name << 8 | Bytes[From + Index];
		}
		return Name;
	}

	void AddPart(TArray<uint8>& To, const TArray<uint8>& From, int32 Begin, int32 Count)
	{
		for (int32 Index = 0; Index < Count; ++Index)
		{
			To.Add(From[Begin + Index]);
		}
	}

	/** Returns the file's bytes. Empty if there is no file, or if its length is invalid. */
	TArray<uint8> Load()
	{
		TArray<uint8> Bytes;
		const FString File = FileName();
		const bool bThere =
			IFileManager::Get().FileExists(*File) && FFileHelper::LoadFileToArray(Bytes, *File);
		const int32 Rest = Bytes.Num() - StateSize;
		if (!bThere || Rest < 0 || Rest % EntrySize != 0 || Rest / EntrySize > MaxServers)
		{
			Bytes.Reset();
		}
		return Bytes;
	}
}

FNetClockKnown NetClock::Recall(const FString& Address)
{
	FNetClockKnown Known;
	const TArray<uint8> Bytes = Load();
	if (Bytes.Num() == 0)
	{
		return Known;
	}
	AddPart(Known.Machine, Bytes, 0, StateSize);
	for (int32 From = StateSize; From < Bytes.Num(); From += EntrySize)
	{
		if (NameAt(Bytes, From) == NameOf(Address))
		{
			AddPart(Known.Server, Bytes, From + NameSize, StateSize);
			break;
		}
	}
	return Known;
}

void NetClock::Remember(const FString& Address, const FNetClockKnown& Known)
{
	check(Known.Machine.Num() == StateSize && Known.Server.Num() == StateSize);
	const TArray<uint8> Before = Load();
	const uint32 Name = NameOf(Address);
	TArray<uint8> Bytes = Known.Machine;
	for (int32 Shift = 24; Shift >= 0; Shift -= 8)
	{
		Bytes.Add(static_cast<uint8>(Name >> Shift & 255u));
	}
	AddPart(Bytes, Known.Server, 0, StateSize);
	for (int32 From = StateSize; From < Before.Num() && Bytes.Num() < StateSize + MaxServers * EntrySize;
		 From += EntrySize)
	{
		if (NameAt(Before, From) != Name)
		{
			AddPart(Bytes, Before, From, EntrySize);
		}
	}
	// If this fails, the next session starts without a stored state.
	static_cast<void>(FFileHelper::SaveArrayToFile(Bytes, *FileName()));
}

int64 NetClock::CalendarSeconds()
{
	return FDateTime::UtcNow().GetTicks() / TicksPerSecond;
}
