#pragma once

#include "Engine/EngineTypes.h"

class UPlayer : public UObject
{
	DOUBLE_CLASS(UPlayer, UObject)
};

class ULocalPlayer : public UPlayer
{
	DOUBLE_CLASS(ULocalPlayer, UPlayer)
};

class UNetConnection : public UPlayer
{
	DOUBLE_CLASS(UNetConnection, UPlayer)
	/** Returns the address of the other end. With relayed sockets, the address is not an IP address. */
	virtual FString LowLevelGetRemoteAddress(bool bAppendPort = false)
	{
		return bAppendPort ? FString::Printf(TEXT("%s:7777"), *RemoteAddress) : RemoteAddress;
	}

	/** Returns zero if the connection is saturated and drops unreliable calls. */
	virtual int32 IsNetReady(bool bSaturate)
	{
		bReady = bReady && !bSaturate;
		return bReady ? 1 : 0;
	}

	// For tests only. Link is the path to the other end. The other end knows this connection by Number.
	bool bReady = true;
	int32 Peer = -1;
	FString RemoteAddress;
};
