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
};
