// Copyright NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// NetClock.Status, NetClock.Record, NetClock.StopRecording.

#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "HAL/IConsoleManager.h"
#include "Misc/OutputDevice.h"
#include "NetClockSession.h"

namespace
{
	UNetClockSession* SessionIn(const UWorld* World, FOutputDevice& Out)
	{
		UNetClockSession* Session = World && World->GetGameInstance() ? World->GetGameInstance()->GetSubsystem<UNetClockSession>() : nullptr;
		if (!Session)
		{
			Out.Log(TEXT("No game is running in this world."));
		}
		return Session;
	}

	void Record(const TArray<FString>& Arguments, UWorld* World, FOutputDevice& Out)
	{
		if (UNetClockSession* Session = SessionIn(World, Out))
		{
			FString Message;
			Session->StartRecording(Arguments.Num() > 0 ? Arguments[0] : FString(), Message);
			Out.Log(*Message);
		}
	}

	void StopRecording(const TArray<FString>&, UWorld* World, FOutputDevice& Out)
	{
		if (UNetClockSession* Session = SessionIn(World, Out))
		{
			FString Message;
			Session->StopRecording(Message);
			Out.Log(*Message);
		}
	}

	using FCommand = FConsoleCommandWithWorldArgsAndOutputDeviceDelegate;

	FAutoConsoleCommandWithWorldArgsAndOutputDevice RecordCommand(TEXT("NetClock.Record"),
		TEXT("NetClock.Record [name]: writes this client's exchanges into Saved/NetClock, for `lab replay --recording`."), FCommand::CreateStatic(&Record));

	FAutoConsoleCommandWithWorldArgsAndOutputDevice StopRecordingCommand(TEXT("NetClock.StopRecording"),
		TEXT("Ends what NetClock.Record began."), FCommand::CreateStatic(&StopRecording));
}
