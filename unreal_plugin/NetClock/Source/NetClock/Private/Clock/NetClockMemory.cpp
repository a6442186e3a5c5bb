// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "Clock/NetClockMemory.h"

#include "HAL/FileManager.h"
#include "Misc/Crc.h"
#include "Misc/FileHelper.h"
#include "Misc/Paths.h"

// The file contains the machine's state, followed by the name and state of each server, most recent first.

namespace
{
	/** Equal to NETCLOCK_SAVED_SIZE. */
	constexpr int32 StateSize = 60;
	constexpr int32 NameSize = 4;
	constexpr int32 EntrySize = NameSize + StateSize;

	/** The maximum number of servers to remember. Most players regularly use fewer. */
	constexpr int32 MaxServers = 16;

	FString FileName()
	{
		const FString Folder =
			FPaths::ConvertRelativePathToFull(FPaths::Combine(*FPaths::ProjectSavedDir(), TEXT("NetClock")));
		return FPaths::Combine(*Folder, TEXT("Known.bin"));
	}

	/** Returns a hash of the address, so that the file does not reveal where a player has played. If the
	 * hashes of two servers collide, the file only keeps the state of one of them. */
	TArray<uint8> NameOf(const FString& Address)
	{
		const uint32 Hash = FCrc::StrCrc32(*Address);
		return TArray<uint8>(reinterpret_cast<const uint8*>(&Hash), NameSize);
	}

	TArray<uint8> Part(const TArray<uint8>& Bytes, int32 From, int32 Count)
	{
		return TArray<uint8>(Bytes.GetData() + From, Count);
	}

	/** Returns the contents of the file, or an empty array if the file is missing or its length is
	 * invalid. */
	TArray<uint8> Load()
	{
		TArray<uint8> Bytes;
		const FString File = FileName();
		const bool bThere =
			IFileManager::Get().FileExists(*File) && FFileHelper::LoadFileToArray(Bytes, *File);
		const int32 Rest = Bytes.Num() - StateSize;
		const bool bValid = bThere && Rest >= 0 && Rest % EntrySize == 0 && Rest / EntrySize <= MaxServers;
		return bValid ? Bytes : TArray<uint8>();
	}
}

FNetClockKnown NetClock::Recall(const FString& Address)
{
	FNetClockKnown Known;
	const TArray<uint8> Bytes = Load();
	if (Bytes.Num() > 0)
	{
		Known.Machine = Part(Bytes, 0, StateSize);
	}
	for (int32 From = StateSize; From < Bytes.Num(); From += EntrySize)
	{
		if (Part(Bytes, From, NameSize) == NameOf(Address))
		{
			Known.Server = Part(Bytes, From + NameSize, StateSize);
		}
	}
	return Known;
}

void NetClock::Remember(const FString& Address, const FNetClockKnown& Known)
{
	check(Known.Machine.Num() == StateSize && Known.Server.Num() == StateSize);
	const TArray<uint8> Before = Load();
	const TArray<uint8> Name = NameOf(Address);
	TArray<uint8> Bytes = Known.Machine;
	Bytes.Append(Name);
	Bytes.Append(Known.Server);
	for (int32 From = StateSize; From < Before.Num(); From += EntrySize)
	{
		if (!(Part(Before, From, NameSize) == Name) && Bytes.Num() < StateSize + MaxServers * EntrySize)
		{
			Bytes.Append(Part(Before, From, EntrySize));
		}
	}
	// If saving fails, the next session starts without a saved state.
	static_cast<void>(FFileHelper::SaveArrayToFile(Bytes, *FileName()));
}
