// The engine double: a canvas, which keeps what was drawn, and the view that it belongs to.
#pragma once

#include "CanvasItem.h"
#include "SceneView.h"
#include "UObject/Object.h"

class UCanvas : public UObject
{
	DOUBLE_CLASS(UCanvas, UObject)
	float ClipX = 1280;
	/** Null where a canvas belongs to no view. */
	FSceneView* SceneView = nullptr;
	void DrawItem(FCanvasItem& Item) { Drawn.push_back(Item.Drawn); }

	// Of the double itself.
	std::vector<FDoubleDrawn> Drawn;
};
