// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockGraph.h"

#include "CanvasItem.h"
#include "Debug/DebugDrawService.h"
#include "Engine/Canvas.h"
#include "Engine/Engine.h"
#include "Engine/World.h"
#include "GameFramework/PlayerController.h"
#include "HAL/IConsoleManager.h"
#include "NetClock/Base/NetClockBase.h"
#include "NetClock/Clock/NetClockSubsystem.h"
#include "SceneInterface.h"
#include "SceneView.h"

bool UNetClockGraph::DoesSupportWorldType(const EWorldType::Type WorldType) const
{
	return !UE_BUILD_SHIPPING && Super::DoesSupportWorldType(WorldType);
}

void UNetClockGraph::OnWorldBeginPlay(UWorld& InWorld)
{
	Super::OnWorldBeginPlay(InWorld);
#if !UE_BUILD_SHIPPING
	if (UNetClockSubsystem* Clock = UNetClockSubsystem::Of(&InWorld))
	{
		Clock->OnIncident.AddUObject(this, &UNetClockGraph::OnIncident);
	}
	FrameHandle = UNetClockSubsystem::OnFrameEnded.AddUObject(this, &UNetClockGraph::OnFrameEnded);
	DrawHandle = UDebugDrawService::Register(
		TEXT("Game"), FDebugDrawDelegate::CreateUObject(this, &UNetClockGraph::OnDraw));
#endif
}

void UNetClockGraph::Deinitialize()
{
#if !UE_BUILD_SHIPPING
	UNetClockSubsystem::OnFrameEnded.Remove(FrameHandle);
	UDebugDrawService::Unregister(DrawHandle);
#endif
	Super::Deinitialize();
}

#if !UE_BUILD_SHIPPING

namespace
{
	TAutoConsoleVariable<int32> GraphVariable(TEXT("NetClock.Graph"), 0,
		TEXT("1 shows the last 30 s of a client's clock: bound, expected error, round trip, corrections."));

	constexpr int64 SampleTicks = NetClock::TicksPerSecond / 5;
	constexpr int32 MaxSamples = 150;
	constexpr int32 MaxVerdicts = 5;

	// Positions and sizes on the screen, in pixels.
	constexpr double Left = 60.0;
	constexpr double Top = 90.0;
	constexpr double Width = 450.0;
	constexpr double Height = 160.0;
	constexpr double StripTop = Top + Height + 14.0;
	constexpr double StripHeight = 44.0;
	constexpr double Margin = 36.0;
	constexpr double TextHeight = 16.0;
	/** The margin that makes room for verdicts, which are wider than the curves. */
	constexpr double TextMargin = 80.0;

	/** The lower limit of the logarithmic scale, in ms: a good clock's expected error. The upper limit is a
	 * bad round-trip time. */
	constexpr double LeastMs = 0.01;
	constexpr double Decades = 5.0;

	/** The minimum scale of the corrections strip, in ms, so that small corrections look small. */
	constexpr double LeastCorrectionMs = 1.0;

	/** Converts 0xRRGGBB. */
	FLinearColor Rgb(uint32 Code)
	{
		return FLinearColor(static_cast<float>(Code >> 16) / 255.0f,
			static_cast<float>(Code >> 8 & 0xffu) / 255.0f, static_cast<float>(Code & 0xffu) / 255.0f, 1.0f);
	}

	/** The colours of the `lab report` pages, for a dark background. */
	namespace Colors
	{
		const FLinearColor Main = Rgb(0x7db4ff);
		const FLinearColor Other = Rgb(0xf2a65a);
		const FLinearColor Bound = Rgb(0x56d08c);
		const FLinearColor Expected = Rgb(0xb7a3f5);
		const FLinearColor Bad = Rgb(0xff8a80);
		const FLinearColor Good = Rgb(0x67d597);
		const FLinearColor Warn = Rgb(0xf0b94a);
	}

	const FLinearColor Back(0.0f, 0.0f, 0.0f, 0.6f);
	const FLinearColor Grid(0.3f, 0.3f, 0.3f, 1.0f);
	const FLinearColor Plain(0.9f, 0.9f, 0.9f, 1.0f);

	/** The texts are in the order of ENetClockCause. The workbench has no wording for the last two causes,
	 * because it lacks connections and replicated worlds. */
	const TCHAR* const CauseWords[] = {
		TEXT(""),
		TEXT("the server's clock restarted"),
		TEXT("two replies prove that a clock was stepped"),
		TEXT("this program did not run for a while; asking again"),
		TEXT("this machine's clock was set back; asking again"),
		TEXT("a correction too large to be slewed"),
		TEXT("the application stepped the clock"),
		TEXT("a new connection, perhaps to another server"),
		TEXT("the world time jumped"),
	};
	static_assert(static_cast<int32>(ENetClockCause::WorldJump) == 8, "each cause has its words");

	/** The texts are in the order of ENetClockDegradation. */
	const TCHAR* const DegradationWords[] = {
		TEXT("the clock is no longer degraded"),
		TEXT("no replies: running on the estimated rate"),
		TEXT("the error bound exceeds its target"),
		TEXT("a reply contradicts the clock; asking again"),
		TEXT("several servers with different clocks answer at this address (a load balancer?): "
			 "following one"),
		TEXT("a clock is slewed by more than allowed; the bound is wider"),
	};
	static_assert(static_cast<int32>(ENetClockDegradation::Slewed) == 5, "each degradation has its words");

	/** Returns the canvas's world. From 5.0 to 5.5, the draw service passes no player, only a view. */
	const UWorld* WorldOf(const UCanvas& Canvas, const APlayerController* Player)
	{
		const FSceneView* View = Canvas.SceneView;
		const FSceneInterface* Scene = View && View->Family ? View->Family->Scene : nullptr;
		const UWorld* World = Scene ? Scene->GetWorld() : nullptr;
		return !World && Player ? Player->GetWorld() : World;
	}

	double Y(double Ms)
	{
		const double Share =
			FMath::LogX(10.0f, static_cast<float>(FMath::Max(Ms, LeastMs) / LeastMs)) / Decades;
		return Top + Height * (1.0 - FMath::Min(Share, 1.0));
	}

	void DrawLine(UCanvas& Canvas, double X0, double Y0, double X1, double Y1, const FLinearColor& Color)
	{
		FCanvasLineItem Item(FVector2D(X0, Y0), FVector2D(X1, Y1));
		Item.SetColor(Color);
		Canvas.DrawItem(Item);
	}

	void DrawWords(UCanvas& Canvas, double X0, double Y0, const FString& Words, const FLinearColor& Color)
	{
		FCanvasTextItem Item(FVector2D(X0, Y0), FText::FromString(Words), GEngine->GetSmallFont(), Color);
		Canvas.DrawItem(Item);
	}

	void DrawFrame(UCanvas& Canvas, int32 Verdicts)
	{
		FCanvasTileItem Tile(FVector2D(Left - Margin, Top - 2.0 * TextHeight),
			FVector2D(Width + Margin + TextMargin,
				Height + StripHeight + (4.5 + static_cast<double>(Verdicts)) * TextHeight),
			Back);
		Tile.BlendMode = SE_BLEND_Translucent;
		Canvas.DrawItem(Tile);
		const TCHAR* const Labels[] = {
			TEXT("0.01"), TEXT("0.1"), TEXT("1"), TEXT("10"), TEXT("100"), TEXT("1000")};
		double Ms = LeastMs;
		for (const TCHAR* Label : Labels)
		{
			DrawLine(Canvas, Left, Y(Ms), Left + Width, Y(Ms), Grid);
			DrawWords(Canvas, Left - Margin + 2.0, Y(Ms) - 0.5 * TextHeight, FString(Label), Plain);
			Ms *= 10.0;
		}
	}
}

void UNetClockGraph::OnFrameEnded(UWorld* World)
{
	if (World != GetWorld() || !NetClock::IsClient(World))
	{
		return;
	}
	const UNetClockSubsystem& Clock = *UNetClockSubsystem::Of(World);
	const FNetClockStatus& Status = Clock.GetStatus();
	const FSample* Last = Samples.Num() > 0 ? &At(Samples.Num() - 1) : nullptr;
	FSample Sample;
	Sample.LocalTicks = Clock.GetFrameTicks();
	Sample.Status = Status;
	if (Last && Sample.LocalTicks / SampleTicks == Last->LocalTicks / SampleTicks)
	{
		return;
	}
	if (Last && Last->Status.bIsSynced && Status.bIsSynced)
	{
		const double Local = static_cast<double>(Sample.LocalTicks - Last->LocalTicks);
		const double Shown = static_cast<double>(Status.ServerTicks - Last->Status.ServerTicks);
		Sample.bJumped = Status.Epoch != Last->Status.Epoch;
		Sample.CorrectionMs =
			Sample.bJumped ? 0.0 : (Shown - Local * (1.0 + Status.FrequencyPpm * 1.0e-6)) * 1.0e-4;
	}
	if (Samples.Num() < MaxSamples)
	{
		Samples.Add(Sample);
	}
	else
	{
		Samples[Oldest] = Sample;
		Oldest = (Oldest + 1) % MaxSamples;
	}
}

double UNetClockGraph::X(int32 Index) const
{
	return Left +
		Width * static_cast<double>(MaxSamples - Samples.Num() + Index) / static_cast<double>(MaxSamples - 1);
}

void UNetClockGraph::DrawCurve(
	UCanvas& Canvas, double FNetClockStatus::* Value, const FLinearColor& Color) const
{
	for (int32 Index = 1; Index < Samples.Num(); ++Index)
	{
		const FNetClockStatus &Before = At(Index - 1).Status, &Status = At(Index).Status;
		if (Before.bIsSynced && Status.bIsSynced)
		{
			DrawLine(Canvas, X(Index - 1), Y(Before.*Value), X(Index), Y(Status.*Value), Color);
		}
	}
}

void UNetClockGraph::DrawCorrections(UCanvas& Canvas) const
{
	double Largest = LeastCorrectionMs;
	for (const FSample& Sample : Samples)
	{
		Largest = FMath::Max(Largest, FMath::Abs(Sample.CorrectionMs));
	}
	const double Middle = StripTop + 0.5 * StripHeight;
	DrawLine(Canvas, Left, Middle, Left + Width, Middle, Grid);
	for (int32 Index = 0; Index < Samples.Num(); ++Index)
	{
		if (At(Index).bJumped)
		{
			DrawLine(Canvas, X(Index), Top, X(Index), StripTop + StripHeight, Colors::Bad);
		}
		else if (At(Index).CorrectionMs != 0.0)
		{
			DrawLine(Canvas, X(Index), Middle, X(Index),
				Middle - 0.5 * StripHeight * At(Index).CorrectionMs / Largest, Colors::Main);
		}
	}
	DrawWords(Canvas, Left, StripTop + StripHeight,
		FString::Printf(TEXT("corrections, up to %.1f ms in 0.2 s; red: the clock jumped"), Largest),
		Colors::Main);
}

void UNetClockGraph::OnIncident(const FNetClockIncident& Incident)
{
	using EKind = FNetClockIncident::EKind;
	const TCHAR* Words = *Incident.Text;
	bool bFine = false;
	bool bWarns = false;
	switch (Incident.Kind)
	{
	case EKind::Synced:
		bFine = true;
		Words = TEXT("the first reply arrived; there is a server time to show");
		break;
	case EKind::HandedOver:
		bFine = true;
		Words = TEXT("another server adopted the timescale; the clock continues");
		break;
	case EKind::Discontinuity:
		bWarns = Incident.Cause == ENetClockCause::ProvenStep;
		Words = CauseWords[static_cast<int32>(Incident.Cause)];
		break;
	case EKind::Degraded:
		bFine = Incident.Degradation == ENetClockDegradation::None;
		bWarns = !bFine;
		Words = DegradationWords[static_cast<int32>(Incident.Degradation)];
		break;
	case EKind::Other: break;
	}
	FVerdict Verdict;
	Verdict.LocalTicks = UNetClockSubsystem::Of(GetWorld())->GetFrameTicks();
	Verdict.Color = bFine ? &Colors::Good : bWarns ? &Colors::Warn : &Colors::Main;
	Verdict.Text = FString::Printf(TEXT("%s  %s"),
		bFine ? TEXT("FINE") : bWarns ? TEXT("ATTENTION") : TEXT("NOTE"), Words);
	Verdicts.Add(Verdict);
	if (Verdicts.Num() > MaxVerdicts)
	{
		Verdicts.RemoveAt(0);
	}
}

// The draw service calls this for the views of all worlds.
void UNetClockGraph::OnDraw(UCanvas* Canvas, APlayerController* Player)
{
	if (Canvas && GraphVariable.GetValueOnGameThread() != 0 && WorldOf(*Canvas, Player) == GetWorld())
	{
		Draw(*Canvas);
	}
}

void UNetClockGraph::Draw(UCanvas& Canvas) const
{
	DrawFrame(Canvas, Verdicts.Num());
	if (Samples.Num() == 0)
	{
		const FString Message = TEXT("NetClock: this is not a client");
		DrawWords(Canvas, Left, Top - 2.0 * TextHeight, Message, Plain);
		return;
	}
	DrawCurve(Canvas, &FNetClockStatus::RoundTripMs, Colors::Other);
	DrawCurve(Canvas, &FNetClockStatus::ErrorBoundMs, Colors::Bound);
	DrawCurve(Canvas, &FNetClockStatus::ExpectedErrorMs, Colors::Expected);
	DrawCorrections(Canvas);
	const FSample& Newest = At(Samples.Num() - 1);
	for (int32 Index = 0; Index < Verdicts.Num(); ++Index)
	{
		const FVerdict& Verdict = Verdicts[Verdicts.Num() - 1 - Index];
		const double AgeSeconds = NetClock::TicksToSeconds(Newest.LocalTicks - Verdict.LocalTicks);
		DrawWords(Canvas, Left, StripTop + StripHeight + static_cast<double>(Index + 1) * TextHeight,
			FString::Printf(TEXT("%.0f s ago  %s"), AgeSeconds, *Verdict.Text), *Verdict.Color);
	}
	const FNetClockStatus& Now = Newest.Status;
	DrawWords(Canvas, Left, Top - 2.0 * TextHeight,
		FString::Printf(
			TEXT("NetClock, ms, the last 30 s%s"), Now.bIsSynced ? TEXT("") : TEXT(": not synced")),
		Plain);
	DrawWords(Canvas, Left, Top - TextHeight,
		FString::Printf(TEXT("bound %s"), *NetClock::MsText(Now.ErrorBoundMs)), Colors::Bound);
	DrawWords(Canvas, Left + 140.0, Top - TextHeight,
		FString::Printf(TEXT("expected %s"), *NetClock::MsText(Now.ExpectedErrorMs)), Colors::Expected);
	DrawWords(Canvas, Left + 290.0, Top - TextHeight,
		FString::Printf(TEXT("round trip %s"), *NetClock::MsText(Now.RoundTripMs)), Colors::Other);
}

#endif // !UE_BUILD_SHIPPING
