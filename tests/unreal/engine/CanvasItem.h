#pragma once

#include "CoreMinimal.h"

struct FVector2D
{
	FVector2D(double InX, double InY) : X(InX), Y(InY) {}
	double X, Y;
};

struct FLinearColor
{
	constexpr FLinearColor(float InR, float InG, float InB, float InA) : R(InR), G(InG), B(InB), A(InA) {}
	float R, G, B, A;
};

class FText
{
public:
	static FText FromString(const FString& InText) { FText Text; Text.Held = InText; return Text; }
	FString Held;
};

class UFont;
enum ESimpleElementBlendMode { SE_BLEND_Opaque, SE_BLEND_Translucent };

struct FDoubleDrawn
{
	enum class EKind { Tile, Line, Text };
	EKind Kind;
	FVector2D From;
	/** The size of a tile, or the end point of a line. */
	FVector2D To;
	FLinearColor Color;
	FString Text;
};

class FCanvasItem
{
public:
	void SetColor(const FLinearColor& Color) { Drawn.Color = Color; }
	ESimpleElementBlendMode BlendMode = SE_BLEND_Opaque;
	FDoubleDrawn Drawn;

protected:
	explicit FCanvasItem(FDoubleDrawn InDrawn) : Drawn(std::move(InDrawn)) {}
};

class FCanvasTileItem : public FCanvasItem
{
public:
	FCanvasTileItem(const FVector2D& Position, const FVector2D& Size, const FLinearColor& Color) :
		FCanvasItem({FDoubleDrawn::EKind::Tile, Position, Size, Color, FString()})
	{
	}
};

class FCanvasLineItem : public FCanvasItem
{
public:
	FCanvasLineItem(const FVector2D& From, const FVector2D& To) :
		FCanvasItem({FDoubleDrawn::EKind::Line, From, To, FLinearColor(1, 1, 1, 1), FString()})
	{
	}
};

class FCanvasTextItem : public FCanvasItem
{
public:
	FCanvasTextItem(const FVector2D& Position, const FText& Text, const UFont*, const FLinearColor& Color) :
		FCanvasItem({FDoubleDrawn::EKind::Text, Position, Position, Color, Text.Held})
	{
	}
};
