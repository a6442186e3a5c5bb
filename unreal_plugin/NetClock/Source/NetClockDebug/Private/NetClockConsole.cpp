// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The console commands NetClock.Status, NetClock.Record and NetClock.StopRecording.

#include "NetClock/Base/NetClockBase.h"
#include "Engine/Engine.h"
#include "Engine/World.h"
#include "HAL/IConsoleManager.h"
#include "Misc/OutputDevice.h"
#include "NetClockRecording.h"
#include "NetClockReport.h"

namespace
{
	UNetClockRecording* RecordingIn(const UWorld* World, FOutputDevice& Out)
	{
		UNetClockRecording* Recording = UNetClockRecording::Of(World);
		if (!Recording)
		{
			Out.Log(TEXT("No game is running in this world."));
		}
		return Recording;
	}

	/** Prints the status of every world in the process, because the editor can run several. */
	void ShowStatus(const TArray<FString>&, UWorld*, FOutputDevice& Out)
	{
		if (!NetClock::IsLibraryUsable())
		{
			Out.Log(TEXT("NetClock has no library, so it uses the engine's clock. See the log for the "
						 "reason."));
		}
		int32 Worlds = 0;
		for (const FWorldContext& Context : GEngine->GetWorldContexts())
		{
			FNetClockReport Report;
			if (!FNetClockReport::Of(Context.World(), Report, true))
			{
				continue;
			}
			++Worlds;
			for (const FString& Line : Report.ToLines())
			{
				Out.Log(*Line);
			}
		}
		if (Worlds == 0)
		{
			Out.Log(TEXT("No game is running."));
		}
	}

	void Record(const TArray<FString>& Arguments, UWorld* World, FOutputDevice& Out)
	{
		if (UNetClockRecording* Recording = RecordingIn(World, Out))
		{
			Out.Log(*Recording->Start(Arguments.Num() > 0 ? Arguments[0] : FString()));
		}
	}

	void StopRecording(const TArray<FString>&, UWorld* World, FOutputDevice& Out)
	{
		if (UNetClockRecording* Recording = RecordingIn(World, Out))
		{
			Out.Log(*Recording->Stop());
		}
	}

	using FCommand = FConsoleCommandWithWorldArgsAndOutputDeviceDelegate;

	FAutoConsoleCommandWithWorldArgsAndOutputDevice StatusCommand(TEXT("NetClock.Status"),
		TEXT("Shows the state of the clock in every world of this process."),
		FCommand::CreateStatic(&ShowStatus));

	FAutoConsoleCommandWithWorldArgsAndOutputDevice RecordCommand(TEXT("NetClock.Record"),
		TEXT("NetClock.Record [name]: writes this client's exchanges to Saved/NetClock, for `lab "
			 "report`."),
		FCommand::CreateStatic(&Record));

	FAutoConsoleCommandWithWorldArgsAndOutputDevice StopRecordingCommand(TEXT("NetClock.StopRecording"),
		TEXT("Ends the recording of NetClock.Record."), FCommand::CreateStatic(&StopRecording));
}
