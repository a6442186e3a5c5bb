// Copyright 2026 NetClock contributors. SPDX-License-Identifier: MIT OR Apache-2.0

#include "NetClockSampleHUD.h"

#include "NetClock/Clock/NetClockSubsystem.h"
#include "Engine/Canvas.h"
#include "Engine/World.h"
#include "NetClockSampleGameState.h"
#include "NetClockSamplePlayerController.h"
#include "NetClock/Game/NetClockStart.h"

namespace
{
	const FLinearColor White(1.0f, 1.0f, 1.0f, 1.0f);
	const FLinearColor Grey(0.7f, 0.7f, 0.7f, 1.0f);
	const FLinearColor Green(0.4f, 0.9f, 0.4f, 1.0f);
	const FLinearColor Orange(1.0f, 0.7f, 0.2f, 1.0f);
	const FLinearColor Lane(0.0f, 0.0f, 0.0f, 0.5f);

	/** The left edge, the height of a line, and the height of a lane, in pixels. */
	constexpr float Left = 60.0f;
	constexpr float LineHeight = 20.0f;
	constexpr float LaneHeight = 26.0f;

	/** Returns why the race is waiting, or the time of the race. */
	FString Headline(const ANetClockSampleGameState& Race, const UNetClockStart* Start, double WorldSeconds)
	{
		if (Race.Winner != 0)
		{
			return FString::Printf(
				TEXT("Player %d wins after %.2f s"), Race.Winner, Race.WonSeconds - Race.StartSeconds);
		}
		if (Race.IsRunning())
		{
			return FString::Printf(TEXT("Go! %.2f s"), WorldSeconds - Race.StartSeconds);
		}
		double SinceSeconds = 0.0;
		if (Start && Start->GetTimeSinceStart(SinceSeconds) && SinceSeconds < 0.0)
		{
			return FString::Printf(TEXT("Start in %.1f s, on every machine"), -SinceSeconds);
		}
		return FString::Printf(
			TEXT("%d of %d players are here"), Race.Runners.Num(), ANetClockSampleGameState::PlayersToStart);
	}
}

void ANetClockSampleHUD::DrawHUD()
{
	Super::DrawHUD();
	const ANetClockSampleGameState* Race = GetWorld()->GetGameState<ANetClockSampleGameState>();
	if (!Race)
	{
		return;
	}
	const double WorldSeconds = Race->GetServerWorldTimeSeconds();
	Y = 50.0f;
	Write(Headline(*Race, GetWorld()->GetSubsystem<UNetClockStart>(), WorldSeconds), Left, White);
	DrawRace(*Race, WorldSeconds);
	DrawTarget(WorldSeconds);
	DrawClock();
	Write(TEXT("Space: shoot.  P: pause.  M: slow motion.  R: another race."), Left, Grey);
}

void ANetClockSampleHUD::Write(const FString& Text, float X, const FLinearColor& Color)
{
	DrawText(Text, Color, X, Y);
	Y += LineHeight;
}

void ANetClockSampleHUD::DrawRace(const ANetClockSampleGameState& Race, double WorldSeconds)
{
	const ANetClockSamplePlayerController* Player =
		Cast<ANetClockSamplePlayerController>(GetOwningPlayerController());
	const float Width = Canvas->ClipX - 2.0f * Left;
	Y += LineHeight / 2.0f;
	for (const FNetClockSampleRunner& Runner : Race.Runners)
	{
		const bool bIsOwn = Player && Player->Number == Runner.Number;
		const double Metres = Race.GetMetres(Runner, WorldSeconds);
		const float Way =
			static_cast<float>(Metres / ANetClockSampleGameState::RaceMetres) * (Width - LaneHeight);
		DrawRect(Lane, Left, Y, Width, LaneHeight);
		DrawRect(bIsOwn ? Green : Orange, Left + Way, Y, LaneHeight, LaneHeight);
		Y += LaneHeight + 2.0f;
		Write(FString::Printf(TEXT("Player %d%s: %.1f m, %d hits in %d shots"), Runner.Number,
				  bIsOwn ? TEXT(" (you)") : TEXT(""), Metres, Runner.Hits, Runner.Shots),
			Left, bIsOwn ? Green : Orange);
	}
}

void ANetClockSampleHUD::DrawTarget(double WorldSeconds)
{
	const float Middle = Canvas->ClipX / 2.0f;
	const float Swing = Middle - Left - LaneHeight;
	Y += LineHeight;
	const bool bInSights = ANetClockSampleGameState::IsInSights(WorldSeconds);
	DrawRect(Lane, Left, Y, 2.0f * (Middle - Left), LaneHeight);
	DrawRect(Grey, Middle - 2.0f, Y - 6.0f, 4.0f, LaneHeight + 12.0f);
	DrawRect(bInSights ? Green : White,
		Middle + static_cast<float>(ANetClockSampleGameState::GetTarget(WorldSeconds)) * Swing -
			LaneHeight / 2.0f,
		Y, LaneHeight, LaneHeight);
	Y += LaneHeight + 10.0f;
	const ANetClockSamplePlayerController* Player =
		Cast<ANetClockSamplePlayerController>(GetOwningPlayerController());
	if (Player && Player->bHasShot)
	{
		Write(FString::Printf(TEXT("%s: the server judged your shot %.0f ms back, when you saw the target"),
				  Player->bLastShotHit ? TEXT("Hit") : TEXT("Miss"), Player->LastShotBackMs),
			Left, Player->bLastShotHit ? Green : Orange);
	}
	Y += LineHeight;
}

void ANetClockSampleHUD::DrawClock()
{
	const UNetClockSubsystem* Clock = UNetClockSubsystem::Of(this);
	if (!Clock || !Clock->IsSynced())
	{
		Write(TEXT("NetClock is not synced yet"), Left, Orange);
		return;
	}
	const FNetClockStatus Status = Clock->GetStatus();
	const FNetClockWorldReading World = Clock->GetWorldReading(ENetClockWorldClock::World);
	Write(FString::Printf(TEXT("Server time %.3f s, within %s, expected error %s"),
			  Clock->GetServerTimeSeconds(), *NetClock::MsText(Status.ErrorBoundMs),
			  *NetClock::MsText(Status.ExpectedErrorMs)),
		Left, White);
	if (World.bIsKnown)
	{
		Write(FString::Printf(TEXT("World time %.3f s at %.2f times the speed, within %s"), World.Seconds,
				  World.Rate, *NetClock::MsText(World.ErrorBoundMs)),
			Left, White);
	}
	if (GetNetMode() == NM_Client)
	{
		Write(FString::Printf(TEXT("Round trip %s, the server's clock runs %+.1f ppm"),
				  *NetClock::MsText(Status.RoundTripMs), Status.FrequencyPpm),
			Left, White);
	}
}
