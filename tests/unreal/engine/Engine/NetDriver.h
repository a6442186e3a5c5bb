// The engine double: what carries calls from one machine to another. The worlds of the test bring their own.
#pragma once

#include "Double/Net.h"
#include "Engine/NetConnection.h"

class UNetDriver : public UObject
{
	DOUBLE_CLASS(UNetDriver, UObject)

	/** On a client: the connection to the server. */
	TObjectPtr<UNetConnection> ServerConnection;

	// Of the double itself: takes a call to the other end of a connection.
	std::function<void(UNetConnection*, UObject*, FDoubleRpc)> Send;
};
