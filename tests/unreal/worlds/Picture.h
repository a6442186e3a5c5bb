// What was drawn on a canvas, as a picture for the documentation.
#pragma once

#include "Engine/Canvas.h"

namespace Picture
{
	/** The colour as SVG writes it. */
	std::string Hex(const FLinearColor& Color);

	/** Writes `NAME.svg` into the project's Saved: a part of the canvas, a game's grey behind it. */
	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size);
}
