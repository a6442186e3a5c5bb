// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockDebugSubsystem.h"

#include "NetClock/Base/NetClockBase.h"
#include "CanvasItem.h"
#include "NetClock/Clock/NetClockTypes.h"
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "Debug/DebugDrawService.h"
#include "Engine/Canvas.h"
#include "Engine/Engine.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "NetClockGraph.h"
#include "NetClockReport.h"
#include "NetClockVerdicts.h"
#include "SceneInterface.h"
#include "SceneView.h"

bool UNetClockDebugSubsystem::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return !UE_BUILD_SHIPPING && Super::DoesSupportWorldType(WorldType);
}

void UNetClockDebugSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
#if !UE_BUILD_SHIPPING
	Graph = MakeShared<FNetClockGraph>();
	Verdicts = MakeShared<FNetClockVerdicts>();
	FrameHandle = UNetClockSubsystem::OnFrameEnded.AddUObject(this, &UNetClockDebugSubsystem::OnFrameEnded);
	DrawHandle = UDebugDrawService::Register(
		TEXT("Game"), FDebugDrawDelegate::CreateUObject(this, &UNetClockDebugSubsystem::DrawGraph));
#endif
}

void UNetClockDebugSubsystem::Deinitialize()
{
#if !UE_BUILD_SHIPPING
	if (UNetClockSubsystem* Clock = bListening ? UNetClockSubsystem::Of(GetWorld()) : nullptr)
	{
		Clock->OnIncident.Remove(IncidentHandle);
	}
	UNetClockSubsystem::OnFrameEnded.Remove(FrameHandle);
	UDebugDrawService::Unregister(DrawHandle);
#endif
	Super::Deinitialize();
}

#if !UE_BUILD_SHIPPING

namespace
{
	/** How long the message about a client's sync stays on the screen. */
	constexpr int64 ReadOutTicks = 5 * NetClock::TicksPerSecond;

	// Positions and sizes on the screen, in pixels.
	constexpr double ReadOutLeft = 24.0;
	constexpr double ReadOutTop = 40.0;

	/** Returns the canvas's world. From 5.0 to 5.5, the draw service passes no player, only a view. */
	const UWorld* WorldOf(const UCanvas& Canvas, const APlayerController* Player)
	{
		const FSceneView* View = Canvas.SceneView;
		const FSceneInterface* Scene = View && View->Family ? View->Family->Scene : nullptr;
		const UWorld* World = Scene ? Scene->GetWorld() : nullptr;
		return !World && Player ? Player->GetWorld() : World;
	}
}

void UNetClockDebugSubsystem::OnFrameEnded(UWorld* World)
{
	// Initialize would be too early for this, because the clock's subsystem may be initialized later.
	UNetClockSubsystem* Clock = !bListening && World == GetWorld() ? UNetClockSubsystem::Of(World) : nullptr;
	if (Clock)
	{
		bListening = true;
		IncidentHandle = Clock->OnIncident.AddUObject(this, &UNetClockDebugSubsystem::OnIncident);
	}
	FNetClockReport Report;
	if (World != GetWorld() || !FNetClockReport::Of(World, Report))
	{
		return;
	}
	Graph->Add(Report);
	const bool bSynced = Report.IsClient() && Report.Status.bIsSynced;
	if (bSynced && !bWasSynced)
	{
		ReadOutUntilTicks = Report.LocalTicks + ReadOutTicks;
	}
	bWasSynced = bSynced;
	FrameTicks = Report.LocalTicks;
	ReadOutBoundMs = Report.Status.ErrorBoundMs;
	ReadOutRoundTripMs = Report.Status.RoundTripMs;
}

void UNetClockDebugSubsystem::OnIncident(const FNetClockIncident& Incident)
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(GetWorld());
	Verdicts->Add(Incident, Clock ? Clock->GetFrameTicks() : 0);
}

// The draw service calls this for the views of all worlds.
void UNetClockDebugSubsystem::DrawGraph(UCanvas* Canvas, APlayerController* Player)
{
	if (!Canvas || WorldOf(*Canvas, Player) != GetWorld())
	{
		return;
	}
	if (FNetClockGraph::IsWanted())
	{
		Graph->Draw(*Canvas, Verdicts->Get());
	}
	else if (bWasSynced && FrameTicks < ReadOutUntilTicks && GetWorld()->WorldType == EWorldType::PIE &&
		UNetClockSettings::Get().bShowWhenSynced)
	{
		DrawReadOut(*Canvas);
	}
}

void UNetClockDebugSubsystem::DrawReadOut(UCanvas& Canvas) const
{
	const FString ReadOut =
		FString::Printf(TEXT("NetClock: synced with the server, within %s; round trip %s"),
			*NetClock::MsText(ReadOutBoundMs), *NetClock::MsText(ReadOutRoundTripMs));
	FCanvasTextItem Item(FVector2D(ReadOutLeft, ReadOutTop), FText::FromString(ReadOut),
		GEngine->GetSmallFont(), FLinearColor(0.4f, 0.9f, 0.4f, 1.0f));
	Canvas.DrawItem(Item);
}

#endif // !UE_BUILD_SHIPPING
