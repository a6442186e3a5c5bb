// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockReport.h"

#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSession.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/World.h"
#include "NetClock/Exchange/NetClockComponent.h"
#include "GameFramework/PlayerController.h"
#include "GameFramework/PlayerState.h"
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

	FString NameOf(const APlayerController& Player)
	{
		const APlayerState* State = Player.PlayerState;
		return State && !State->GetPlayerName().IsEmpty() ? State->GetPlayerName() : Player.GetName();
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
}

bool FNetClockReport::Of(const UWorld* InWorld, FNetClockReport& Report, bool bWithPlayers)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(InWorld);
	if (!Clock)
	{
		return false;
	}
	Report = FNetClockReport();
	Report.NetMode = InWorld->GetNetMode();
	Report.bReplay = InWorld->IsPlayingReplay();
	Report.bHasLibrary = NetClock::IsLibraryUsable();
	Report.Status = Clock->GetStatus();
	Report.LocalTicks = Clock->GetFrameTicks();
	Report.bWorldTimeKnown = Clock->IsWorldTimeKnown();
	Report.World = Clock->GetWorldReading(ENetClockWorldClock::World);
	for (FConstPlayerControllerIterator It = InWorld->GetPlayerControllerIterator(); It; ++It)
	{
		const APlayerController* Player = It->Get();
		const UNetClockComponent* Component = UNetClockComponent::Of(Player);
		if (!Component)
		{
			continue;
		}
		Report.ProbesSent += Component->GetCounts().Sent;
		Report.RepliesRefused += Component->GetCounts().Refused;
		if (Report.IsServer() && bWithPlayers)
		{
			FNetClockPlayerReport Each;
			Each.Name = NameOf(*Player);
			Each.Answered = Component->GetCounts().Answered;
			Each.Dropped = Component->GetCounts().Dropped;
			Report.Players.Add(Each);
		}
	}
	if (bWithPlayers)
	{
		UNetClockSubsystem::OnReporting.Broadcast(InWorld, Report.Further);
	}
	if (const UNetClockRecording* Recorder = UNetClockRecording::Of(InWorld))
	{
		Report.Recording = Recorder->Describe();
	}
	const UNetClockSession* Session = UNetClockSession::Of(InWorld);
	if (Session && Session->GetGuest())
	{
		const auto Used = netclock::used_saved(Session->GetGuest()->clock());
		Report.bKnewMachine = Used->machine;
		Report.bKnewServer = Used->server;
	}
	return true;
}

TArray<FString> FNetClockReport::ToLines() const
{
	TArray<FString> Lines;
	Lines.Add(FString::Printf(TEXT("%s%s"), ModeText(NetMode),
		bReplay ? TEXT(", playing a replay: the engine's own clock") : TEXT("")));
	if (IsClient())
	{
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
		if (bWorldTimeKnown)
		{
			Lines.Add(FString::Printf(TEXT("  world time   %.3f s at a rate of %.2f, within %s; within %s if "
										   "nothing was paused or dilated since the last message"),
				World.Seconds, World.Rate, *NetClock::MsText(World.ErrorBoundMs),
				*NetClock::MsText(World.ErrorBoundIfUnchangedMs)));
		}
		else
		{
			Lines.Add(FString(TEXT("  world time   the engine's own: not synced, or disabled")));
		}
		Lines.Add(FString::Printf(
			TEXT("  datagrams    %lld sent, %lld refused"), ProbesSent, RepliesRefused));
		Lines.Add(FString::Printf(TEXT("  began        %s"), KnownText(bKnewMachine, bKnewServer)));
	}
	else if (IsServer() && !bHasLibrary)
	{
		Lines.Add(
			FString(TEXT("  no clock: the NetClock library is missing, and the log explains why. Clients use "
						 "the engine's clock")));
	}
	else if (!bReplay)
	{
		Lines.Add(FString::Printf(
			TEXT("  server time  %.6f s, by its own clock"), NetClock::TicksToSeconds(Status.ServerTicks)));
	}
	for (const FString& Line : Further)
	{
		Lines.Add(Line);
	}
	for (const FNetClockPlayerReport& Player : Players)
	{
		Lines.Add(FString::Printf(TEXT("  player %s: %lld datagrams sent, %lld dropped over the limit"),
			*Player.Name, Player.Answered, Player.Dropped));
	}
	if (!Recording.IsEmpty())
	{
		Lines.Add(FString::Printf(TEXT("  recording    %s"), *Recording));
	}
	return Lines;
}
