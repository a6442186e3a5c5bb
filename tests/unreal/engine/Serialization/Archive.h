#pragma once

#include "CoreMinimal.h"

class FArchive
{
public:
	virtual ~FArchive() = default;
	virtual void Serialize(void* Bytes, int64 Count) = 0;
	virtual void Flush() {}
	virtual bool Close() { return !bError; }
	bool IsError() const { return bError; }

protected:
	bool bError = false;
	bool bLoading = false;
};

inline FArchive& operator<<(FArchive& Archive, int32& Value)
{
	Archive.Serialize(&Value, sizeof Value);
	return Archive;
}
inline FArchive& operator<<(FArchive& Archive, int64& Value)
{
	Archive.Serialize(&Value, sizeof Value);
	return Archive;
}
FArchive& operator<<(FArchive& Archive, FString& Value);
