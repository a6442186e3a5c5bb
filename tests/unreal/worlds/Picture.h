// What was drawn on a canvas, as a picture for the documentation.
#pragma once

#include "Engine/Canvas.h"

namespace Picture
{
	/** The colour as SVG writes it. */
	std::string Hex(const FLinearColor& Color);

	/** The first thing that was drawn with these words. Null if there is none. */
	const FDoubleDrawn* Find(const UCanvas& Canvas, const std::string& Part);
	inline bool Says(const UCanvas& Canvas, const std::string& Part) { return Find(Canvas, Part) != nullptr; }

	/** Writes `NAME.svg` into the project's Saved: a part of the canvas, a game's grey behind it. */
	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size);
}
