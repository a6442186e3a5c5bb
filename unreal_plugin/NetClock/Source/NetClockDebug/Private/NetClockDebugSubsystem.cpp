// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockDebugSubsystem.h"

#include "Debug/DebugDrawService.h"
#include "Engine/World.h"
#include "Exchange/NetClockExchange.h"
#include "GameFramework/PlayerController.h"
#include "NetClockGraph.h"
#include "NetClockReport.h"
#include "NetClockStats.h"

bool UNetClockDebugSubsystem::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return !UE_BUILD_SHIPPING && Super::DoesSupportWorldType(WorldType);
}

void UNetClockDebugSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
#if !UE_BUILD_SHIPPING
	Graph = MakeShared<FNetClockGraph>();
	FrameHandle = UNetClockExchange::OnFrameEnded.AddUObject(this, &UNetClockDebugSubsystem::OnFrameEnded);
	DrawHandle = UDebugDrawService::Register(TEXT("Game"), FDebugDrawDelegate::CreateUObject(this, &UNetClockDebugSubsystem::DrawGraph));
#endif
}

void UNetClockDebugSubsystem::Deinitialize()
{
#if !UE_BUILD_SHIPPING
	UNetClockExchange::OnFrameEnded.Remove(FrameHandle);
	UDebugDrawService::Unregister(DrawHandle);
#endif
	Super::Deinitialize();
}

#if !UE_BUILD_SHIPPING

void UNetClockDebugSubsystem::OnFrameEnded(UWorld* World)
{
	FNetClockReport Report;
	if (World == GetWorld() && FNetClockReport::Of(World, Report))
	{
		NetClock::ShowInStats(Report);
		Graph->Add(Report);
	}
}

// The service calls this for every world's view.
void UNetClockDebugSubsystem::DrawGraph(UCanvas* Canvas, APlayerController* Player)
{
	if (Canvas && Player && Player->GetWorld() == GetWorld() && FNetClockGraph::IsWanted())
	{
		Graph->Draw(*Canvas);
	}
}

#endif // !UE_BUILD_SHIPPING
