#pragma once

#include "UObject/Object.h"

enum EPlayNetMode { PIE_Standalone, PIE_ListenServer, PIE_Client };

class ULevelEditorPlaySettings : public UObject
{
	DOUBLE_CLASS(ULevelEditorPlaySettings, UObject)
	void SetPlayNetMode(const EPlayNetMode New) { NetMode = New; }
	void SetPlayNumberOfClients(const int32 New) { Clients = New; }
	void SetRunUnderOneProcess(const bool bNew) { bOneProcess = bNew; }

	// For tests only.
	EPlayNetMode NetMode = PIE_Standalone;
	int32 Clients = 1;
	bool bOneProcess = false;
};
