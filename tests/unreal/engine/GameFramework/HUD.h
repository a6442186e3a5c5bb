#pragma once

#include "Engine/Canvas.h"
#include "GameFramework/PlayerController.h"

class AHUD : public AActor
{
	DOUBLE_CLASS(AHUD, AActor)
	virtual void DrawHUD() {}
	void DrawRect(FLinearColor Color, float X, float Y, float Width, float Height)
	{
		Canvas->Drawn.push_back(
			{FDoubleDrawn::EKind::Tile, FVector2D(X, Y), FVector2D(Width, Height), Color, FString()});
	}
	void DrawText(const FString& Text, FLinearColor Color, float X, float Y, class UFont* = nullptr,
		float = 1.0f, bool = false)
	{
		Canvas->Drawn.push_back({FDoubleDrawn::EKind::Text, FVector2D(X, Y), FVector2D(X, Y), Color, Text});
	}
	APlayerController* GetOwningPlayerController() const { return Cast<APlayerController>(Owner); }

	TObjectPtr<UCanvas> Canvas;
};
