// Accesses real files in the directory that the test sets.
#pragma once

#include "Serialization/Archive.h"

class IFileManager
{
public:
	static IFileManager& Get() { return FDouble::Only<IFileManager>(); }
	bool FileExists(const TCHAR* Name);
	bool MakeDirectory(const TCHAR* Name, bool bTree);
	FArchive* CreateFileWriter(const TCHAR* Name);
};
