// The engine double: files, which are real ones below the folder that the test gives.
#pragma once

#include "Serialization/Archive.h"

class IFileManager
{
public:
	static IFileManager& Get();
	bool FileExists(const TCHAR* Name);
	bool MakeDirectory(const TCHAR* Name, bool bTree);
	/** Null if it cannot be written. */
	FArchive* CreateFileWriter(const TCHAR* Name);
};
