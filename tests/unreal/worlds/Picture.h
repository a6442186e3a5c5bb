// Saves what was drawn on a canvas as a picture for the documentation.
#pragma once

#include "Engine/Canvas.h"

namespace Picture
{
	/** The colour in SVG notation. */
	std::string Hex(const FLinearColor& Color);

	/** The first drawn text that contains these words. Null if there is none. */
	const FDoubleDrawn* Find(const UCanvas& Canvas, const std::string& Part);
	inline bool Says(const UCanvas& Canvas, const std::string& Part) { return Find(Canvas, Part) != nullptr; }

	/** Writes a part of the canvas to `NAME.svg` in the project's Saved, on the grey background of a game. */
	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size);
}
