// The engine double: one end of a connection.
#pragma once

#include "Engine/EngineTypes.h"

class APlayerController;

class UPlayer : public UObject
{
	DOUBLE_CLASS(UPlayer, UObject)
	TObjectPtr<APlayerController> PlayerController;
};

class ULocalPlayer : public UPlayer
{
	DOUBLE_CLASS(ULocalPlayer, UPlayer)
};

class UNetConnection : public UPlayer
{
	DOUBLE_CLASS(UNetConnection, UPlayer)
	/** Of the other end. What relayed sockets give is no IP address. */
	virtual FString LowLevelGetRemoteAddress(bool bAppendPort = false)
	{
		return bAppendPort ? FString::Printf(TEXT("%s:7777"), *RemoteAddress) : RemoteAddress;
	}

	// Of the double itself: the link to the other end, and its number there.
	int32 Peer = -1;
	FString RemoteAddress;
};
