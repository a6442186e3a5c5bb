// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

// The console commands NetClock.Status, NetClock.Record and NetClock.StopRecording.

#include "Engine/Engine.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "GameFramework/PlayerState.h"
#include "HAL/IConsoleManager.h"
#include "Misc/OutputDevice.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "NetClockCLibrary.h"
#include "NetClockRecording.h"

namespace
{
	const TCHAR* ModeText(ENetMode Mode)
	{
		return Mode == NM_Client         ? TEXT("client")
			: Mode == NM_DedicatedServer ? TEXT("dedicated server")
			: Mode == NM_ListenServer    ? TEXT("listen server")
										 : TEXT("standalone");
	}

	const TCHAR* StateText(ENetClockState State)
	{
		return State == ENetClockState::Synced  ? TEXT("synced")
			: State == ENetClockState::Holdover ? TEXT("holdover: no replies, running at the estimated rate")
			: State == ENetClockState::Doubtful ? TEXT("doubtful: a clock may have stepped, asking again")
												: TEXT("unsynced: no reply has been accepted yet");
	}

	const TCHAR* KnownText(bool bMachine, bool bServer)
	{
		return bMachine && bServer
			? TEXT("with saved data about this machine's clock and this server")
			: bMachine ? TEXT("with saved data about this machine's clock")
			: bServer  ? TEXT("with saved data about this server")
					   : TEXT("without saved data from earlier sessions");
	}

	FString NameOf(const APlayerController& Player)
	{
		const APlayerState* State = Player.PlayerState;
		return State && !State->GetPlayerName().IsEmpty() ? State->GetPlayerName() : Player.GetName();
	}

	void AddClient(const UWorld& World, const UNetClockSubsystem& Clock, TArray<FString>& Lines)
	{
		const FNetClockStatus& Status = Clock.GetStatus();
		Lines.Add(FString::Printf(TEXT("  state        %s"), StateText(Status.State)));
		if (Status.bIsSynced)
		{
			Lines.Add(FString::Printf(TEXT("  server time  %.6f s, within %s, expected error %s"),
				NetClock::TicksToSeconds(Status.ServerTicks), *NetClock::MsText(Status.ErrorBoundMs),
				*NetClock::MsText(Status.ExpectedErrorMs)));
			Lines.Add(FString::Printf(TEXT("  round trip   %s; the server's clock runs %.1f ppm %s"),
				*NetClock::MsText(Status.RoundTripMs), FMath::Abs(Status.FrequencyPpm),
				Status.FrequencyPpm < 0.0 ? TEXT("slower") : TEXT("faster")));
		}
		if (Clock.IsWorldTimeKnown())
		{
			const FNetClockWorldReading Reading = Clock.GetWorldReading(ENetClockWorldClock::World);
			Lines.Add(FString::Printf(TEXT("  world time   %.3f s at a rate of %.2f, within %s; within %s if "
										   "nothing was paused or dilated since the last message"),
				Reading.Seconds, Reading.Rate, *NetClock::MsText(Reading.ErrorBoundMs),
				*NetClock::MsText(Reading.ErrorBoundIfUnchangedMs)));
		}
		else
		{
			Lines.Add(FString(TEXT("  world time   the engine's own: not synced")));
		}
		int64 Sent = 0;
		int64 Refused = 0;
		for (FConstPlayerControllerIterator It = World.GetPlayerControllerIterator(); It; ++It)
		{
			if (const UNetClockComponent* Component = UNetClockComponent::Of(It->Get()))
			{
				Sent += Component->GetCounts().Sent;
				Refused += Component->GetCounts().Refused;
			}
		}
		Lines.Add(FString::Printf(TEXT("  datagrams    %lld sent, %lld refused"), Sent, Refused));
		const UNetClockSession* Session = UNetClockSession::Of(&World);
		const auto Used = Session && Session->GetGuest()
			? *netclock::used_saved(Session->GetGuest()->clock())
			: netclock::used_states{};
		Lines.Add(FString::Printf(TEXT("  began        %s"), KnownText(Used.machine, Used.server)));
	}

	void AddPlayers(const UWorld& World, TArray<FString>& Lines)
	{
		for (FConstPlayerControllerIterator It = World.GetPlayerControllerIterator(); It; ++It)
		{
			if (const UNetClockComponent* Component = UNetClockComponent::Of(It->Get()))
			{
				const FNetClockExchangeCounts& Counts = Component->GetCounts();
				Lines.Add(
					FString::Printf(TEXT("  player %s: %lld datagrams sent, %lld dropped over the limit"),
						*NameOf(*It->Get()), Counts.Answered, Counts.Dropped));
			}
		}
	}

	/** Returns the lines about a world's clock. There are none if the world does not belong to a game. */
	TArray<FString> StatusOf(const UWorld* World)
	{
		TArray<FString> Lines;
		const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(World);
		if (!Clock)
		{
			return Lines;
		}
		const ENetMode Mode = World->GetNetMode();
		const bool bReplay = World->IsPlayingReplay();
		const bool bServer = Mode == NM_DedicatedServer || Mode == NM_ListenServer;
		Lines.Add(FString::Printf(TEXT("%s%s"), ModeText(Mode),
			bReplay ? TEXT(", playing a replay: the engine's own clock") : TEXT("")));
		if (Mode == NM_Client && !bReplay)
		{
			AddClient(*World, *Clock, Lines);
		}
		else if (bServer && !NetClock::IsLibraryUsable())
		{
			Lines.Add(FString(TEXT("  no clock: the NetClock library is missing, and the log explains why. "
								   "Clients use the engine's clock")));
		}
		else if (!bReplay)
		{
			Lines.Add(FString::Printf(TEXT("  server time  %.6f s, by its own clock"),
				NetClock::TicksToSeconds(Clock->GetServerTimeTicks())));
		}
		UNetClockSubsystem::OnReporting.Broadcast(World, Lines);
		if (bServer)
		{
			AddPlayers(*World, Lines);
		}
		const UNetClockRecording* Recording = UNetClockRecording::Of(World);
		if (Recording && !Recording->Describe().IsEmpty())
		{
			Lines.Add(FString::Printf(TEXT("  recording    %s"), *Recording->Describe()));
		}
		return Lines;
	}

	/** Prints the status of every world in the process, because the editor can run several. */
	void ShowStatus(const TArray<FString>&, UWorld*, FOutputDevice& Out)
	{
		if (!NetClock::IsLibraryUsable())
		{
			Out.Log(TEXT("NetClock has no library, so it uses the engine's clock. See the log for the "
						 "reason."));
		}
		bool bRuns = false;
		for (const FWorldContext& Context : GEngine->GetWorldContexts())
		{
			for (const FString& Line : StatusOf(Context.World()))
			{
				bRuns = true;
				Out.Log(*Line);
			}
		}
		if (!bRuns)
		{
			Out.Log(TEXT("No game is running."));
		}
	}

	void Record(const TArray<FString>& Arguments, UWorld* World, FOutputDevice& Out)
	{
		UNetClockRecording* Recording = UNetClockRecording::Of(World);
		Out.Log(Recording ? *Recording->Start(Arguments.Num() > 0 ? Arguments[0] : FString())
						  : TEXT("No game is running in this world."));
	}

	void StopRecording(const TArray<FString>&, UWorld* World, FOutputDevice& Out)
	{
		UNetClockRecording* Recording = UNetClockRecording::Of(World);
		Out.Log(Recording ? *Recording->Stop() : TEXT("No game is running in this world."));
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
