// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockGraph.h"

#include "NetClock/Base/NetClockBase.h"
#include "CanvasItem.h"
#include "Engine/Canvas.h"
#include "Engine/Engine.h"
#include "HAL/IConsoleManager.h"
#include "NetClockReport.h"
#include "NetClockVerdicts.h"

#if !UE_BUILD_SHIPPING

namespace
{
TAutoConsoleVariable<int32> GraphVariable(TEXT("NetClock.Graph"), 0,
	TEXT("1 shows the last 30 s of a client's clock: error bound, expected error, round trip, corrections."));

constexpr int64 SampleTicks = NetClock::TicksPerSecond / 5;
constexpr int32 MaxSamples = 150;

// Positions and sizes on the screen, in pixels.
constexpr double Left = 60.0;
constexpr double Top = 90.0;
constexpr double Width = 450.0;
constexpr double Height = 160.0;
constexpr double StripTop = Top + Height + 14.0;
constexpr double StripHeight = 44.0;
constexpr double Margin = 36.0;
constexpr double TextHeight = 16.0;
/** The verdicts need more width than the curves. */
constexpr double TextMargin = 80.0;

/** The limits of the logarithmic scale, in ms: a good clock's expected error and a bad round-trip time. */
constexpr double LeastMs = 0.01;
constexpr double Decades = 5.0;

/** The minimum scale of the corrections strip, in ms, so that small corrections look small. */
constexpr double LeastCorrectionMs = 1.0;

const FLinearColor Back(0.0f, 0.0f, 0.0f, 0.6f);
const FLinearColor Grid(0.3f, 0.3f, 0.3f, 1.0f);
const FLinearColor Plain(0.9f, 0.9f, 0.9f, 1.0f);

FLinearColor Linear(NetClock::FRgb Rgb)
{
	return FLinearColor(static_cast<float>(Rgb.Red) / 255.0f, static_cast<float>(Rgb.Green) / 255.0f,
		static_cast<float>(Rgb.Blue) / 255.0f, 1.0f);
	}

	// The colours that `lab report` uses in its pages.
	const FLinearColor BoundColor = Linear(NetClock::Colors::Bound);
	const FLinearColor ExpectedColor = Linear(NetClock::Colors::Expected);
	const FLinearColor TripColor = Linear(NetClock::Colors::Other);
	const FLinearColor CorrectionColor = Linear(NetClock::Colors::Main);
	const FLinearColor JumpColor = Linear(NetClock::Colors::Bad);

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

bool FNetClockGraph::IsWanted()
{
	return GraphVariable.GetValueOnGameThread() != 0;
}

void FNetClockGraph::Add(const FNetClockReport& Report)
{
	const FNetClockStatus& Status = Report.Status;
	const FSample* Last = Samples.Num() > 0 ? &At(Samples.Num() - 1) : nullptr;
	if (!Report.IsClient() || (Last && Report.LocalTicks / SampleTicks == Last->LocalTicks / SampleTicks))
	{
		return;
	}
	FSample Sample;
	Sample.LocalTicks = Report.LocalTicks;
	Sample.Status = Status;
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

double FNetClockGraph::X(int32 Index) const
{
	return Left +
		Width * static_cast<double>(MaxSamples - Samples.Num() + Index) / static_cast<double>(MaxSamples - 1);
}

void FNetClockGraph::DrawCurve(
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

void FNetClockGraph::DrawCorrections(UCanvas& Canvas) const
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
			DrawLine(Canvas, X(Index), Top, X(Index), StripTop + StripHeight, JumpColor);
		}
		else if (At(Index).CorrectionMs != 0.0)
		{
			DrawLine(Canvas, X(Index), Middle, X(Index),
				Middle - 0.5 * StripHeight * At(Index).CorrectionMs / Largest, CorrectionColor);
		}
	}
	DrawWords(Canvas, Left, StripTop + StripHeight,
		FString::Printf(TEXT("corrections, up to %.1f ms in 0.2 s; red: the clock jumped"), Largest),
		CorrectionColor);
}

void FNetClockGraph::Draw(UCanvas& Canvas, const TArray<FNetClockVerdictLine>& Verdicts) const
{
	DrawFrame(Canvas, Verdicts.Num());
	if (Samples.Num() == 0)
	{
		const FString Message = TEXT("NetClock: this is not a client");
		DrawWords(Canvas, Left, Top - 2.0 * TextHeight, Message, Plain);
		return;
	}
	DrawCurve(Canvas, &FNetClockStatus::RoundTripMs, TripColor);
	DrawCurve(Canvas, &FNetClockStatus::ErrorBoundMs, BoundColor);
	DrawCurve(Canvas, &FNetClockStatus::ExpectedErrorMs, ExpectedColor);
	DrawCorrections(Canvas);
	for (int32 Index = 0; Index < Verdicts.Num(); ++Index)
	{
		const FNetClockVerdictLine& Verdict = Verdicts[Verdicts.Num() - 1 - Index];
		const double Y0 = StripTop + StripHeight + static_cast<double>(Index + 1) * TextHeight;
		DrawWords(Canvas, Left, Y0, Verdict.ToText(At(Samples.Num() - 1).LocalTicks),
			Linear(NetClock::ColorOf(Verdict.Weight)));
	}
	const FNetClockStatus& Now = At(Samples.Num() - 1).Status;
	DrawWords(Canvas, Left, Top - 2.0 * TextHeight,
		FString::Printf(
			TEXT("NetClock, ms, the last 30 s%s"), Now.bIsSynced ? TEXT("") : TEXT(": not synced")),
		Plain);
	DrawWords(Canvas, Left, Top - TextHeight,
		FString::Printf(TEXT("bound %s"), *NetClock::MsText(Now.ErrorBoundMs)), BoundColor);
	DrawWords(Canvas, Left + 140.0, Top - TextHeight,
		FString::Printf(TEXT("expected %s"), *NetClock::MsText(Now.ExpectedErrorMs)), ExpectedColor);
	DrawWords(Canvas, Left + 290.0, Top - TextHeight,
		FString::Printf(TEXT("round trip %s"), *NetClock::MsText(Now.RoundTripMs)), TripColor);
}

#endif // !UE_BUILD_SHIPPING
