// Sends calls from one machine to another through a function that the worlds provide.
#pragma once

#include "Double/Net.h"
#include "Engine/NetConnection.h"

class UNetDriver : public UObject
{
	DOUBLE_CLASS(UNetDriver, UObject)

	TObjectPtr<UNetConnection> ServerConnection;

	// For tests only. Sends a call to the other end of a connection.
	std::function<void(UNetConnection*, UObject*, FDoubleRpc)> Send;
};
