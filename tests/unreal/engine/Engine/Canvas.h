// The engine double: a canvas, which keeps what was drawn.
#pragma once

#include "CanvasItem.h"
#include "UObject/Object.h"

class UCanvas : public UObject
{
	DOUBLE_CLASS(UCanvas, UObject)
	float ClipX = 1280;
	float ClipY = 720;
	void DrawItem(FCanvasItem& Item) { Drawn.push_back(Item.Drawn); }

	// Of the double itself.
	std::vector<FDoubleDrawn> Drawn;
};
