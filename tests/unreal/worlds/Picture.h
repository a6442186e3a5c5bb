// Saves a canvas as a picture for the documentation.
#pragma once

#include "Engine/Canvas.h"

namespace Picture
{
	/** Returns the colour in SVG notation. */
	std::string Hex(const FLinearColor& Color);

	/** Returns the first drawn text that contains these words, or null. */
	const FDoubleDrawn* Find(const UCanvas& Canvas, const std::string& Part);
	inline bool Says(const UCanvas& Canvas, const std::string& Part) { return Find(Canvas, Part) != nullptr; }

	/** Writes a part of the canvas to `NAME.svg` in the project's Saved folder, on the grey background of a
	   game. */
	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size);
}
