// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#pragma once

#include "CoreMinimal.h"
#include "NetClockTypes.h"
#include "Subsystems/GameInstanceSubsystem.h"
#include "NetClockSession.generated.h"

class FNetClockClient;
class FNetClockRecorder;
class FNetClockServer;
class UNetConnection;

/**
 * What outlives a world: the name of this run of the server's clock, and a client's clock, which goes on through travel
 * for as long as the connection is the same. One for each game instance, so that several games in one process (PIE) do
 * not meet.
 */
UCLASS()
class NETCLOCK_API UNetClockSession : public UGameInstanceSubsystem
{
	GENERATED_BODY()

public:
	virtual void Initialize(FSubsystemCollectionBase& Collection) override;
	virtual void Deinitialize() override;

	/** The name of this run of the server's clock. Never zero. */
	int64 GetServerEpoch() const { return ServerEpoch; }

	/** Answers clients. Made when it is first asked for; null if there is no library. */
	const TSharedPtr<FNetClockServer>& GetServer();

	/**
	 * The clock that follows the server at the other end of a connection. A new one for another connection, which may be
	 * another server; bStartedOver says so, if there was one before. Null if there is no library.
	 */
	TSharedPtr<FNetClockClient> ClientFor(UNetConnection* Connection, bool& bStartedOver);

	/** The clock of the newest connection, or null. */
	const TSharedPtr<FNetClockClient>& GetClient() const { return Client; }

	/**
	 * Client: from now on every exchange is written into a file below Saved/NetClock, for `lab replay --recording`. It
	 * goes on through travel; on another connection, in a file of its own. It may begin before there is a connection.
	 * Name may be empty. Message says where it is, or, if false is returned, why not.
	 */
	bool StartRecording(const FString& Name, FString& Message);

	/** Ends the recording: its file is complete. Message says what is in it. False if there is nothing to be had. */
	bool StopRecording(FString& Message);

	/** The recording that is under way or has ended by itself, or null. */
	const TSharedPtr<FNetClockRecorder>& GetRecorder() const { return Recorder; }

private:
	int64 ServerEpoch = 0;
	TWeakObjectPtr<UNetConnection> FollowedConnection;
	TSharedPtr<FNetClockClient> Client;
	TSharedPtr<FNetClockServer> Server;
	TSharedPtr<FNetClockRecorder> Recorder;
};
