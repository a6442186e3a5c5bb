// Writes a canvas to a picture for the documentation.
#pragma once

#include "Engine/Canvas.h"

namespace Picture
{
	std::string Hex(const FLinearColor& Color);

	const FDoubleDrawn* Find(const UCanvas& Canvas, const std::string& Part);
	inline bool Says(const UCanvas& Canvas, const std::string& Part) { return Find(Canvas, Part) != nullptr; }

	/** Writes part of the canvas to `NAME.svg` in the Saved folder, on grey as in a game. */
	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size);
}
