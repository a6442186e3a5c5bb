// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockDebuggerCategory.h"

#if WITH_GAMEPLAY_DEBUGGER

#include "NetClock/Base/NetClockBase.h"
#include "GameFramework/PlayerController.h"
#include "NetClockDebugSubsystem.h"
#include "NetClockVerdicts.h"

namespace
{
	/** How often the server collects its data, in seconds. */
	constexpr float CollectEvery = 0.5f;

	/** The maximum number of players to replicate. More would not fit on the screen. */
	constexpr int32 MaxPlayers = 24;
}

FNetClockDebuggerCategory::FNetClockDebuggerCategory()
{
	CollectDataInterval = CollectEvery;
	bShowOnlyWithDebugActor = false;
	SetDataPackReplication<FServerView>(&View);
}

TSharedRef<FGameplayDebuggerCategory> FNetClockDebuggerCategory::MakeInstance()
{
	return MakeShared<FNetClockDebuggerCategory>();
}

void FNetClockDebuggerCategory::FServerView::Serialize(FArchive& Ar)
{
	Ar << ServerTicks;
	Ar << ServerEpoch;
	int32 Count = FMath::Min(Players.Num(), MaxPlayers);
	Ar << Count;
	// The count is clamped, because the bytes are untrusted.
	Count = FMath::Clamp(Count, 0, MaxPlayers);
	Players.SetNum(Count);
	for (FNetClockPlayerReport& Player : Players)
	{
		Ar << Player.Name;
		Ar << Player.Answered;
		Ar << Player.Dropped;
	}
}

void FNetClockDebuggerCategory::CollectData(APlayerController* OwnerPC, AActor*)
{
	FNetClockReport Report;
	if (OwnerPC && FNetClockReport::Of(OwnerPC->GetWorld(), Report, true))
	{
		View.ServerTicks = Report.Status.ServerTicks;
		View.ServerEpoch = Report.Status.ServerEpoch;
		View.Players = Report.Players;
	}
}

void FNetClockDebuggerCategory::DrawData(
	APlayerController* OwnerPC, FGameplayDebuggerCanvasContext& CanvasContext)
{
	CanvasContext.Print(FString::Printf(TEXT("The server's latest update: %.3f s, clock %llx, %d players"),
		NetClock::TicksToSeconds(View.ServerTicks), static_cast<uint64>(View.ServerEpoch),
		View.Players.Num()));
	for (const FNetClockPlayerReport& Player : View.Players)
	{
		CanvasContext.Print(FString::Printf(TEXT("  %s: %lld datagrams sent, %lld dropped over the limit"),
			*Player.Name, Player.Answered, Player.Dropped));
	}
	FNetClockReport Report;
	if (OwnerPC && FNetClockReport::Of(OwnerPC->GetWorld(), Report))
	{
		for (const FString& Line : Report.ToLines())
		{
			CanvasContext.Print(Line);
		}
		for (const FNetClockVerdictLine& Verdict : UNetClockDebugSubsystem::VerdictsOf(OwnerPC->GetWorld()))
		{
			const NetClock::FRgb Color = NetClock::ColorOf(Verdict.Weight);
			CanvasContext.Print(
				FColor(Color.Red, Color.Green, Color.Blue), Verdict.ToText(Report.LocalTicks));
		}
	}
}

#endif // WITH_GAMEPLAY_DEBUGGER
