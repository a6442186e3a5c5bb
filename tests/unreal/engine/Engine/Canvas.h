#pragma once

#include "CanvasItem.h"
#include "SceneView.h"
#include "UObject/Object.h"

class UCanvas : public UObject
{
	DOUBLE_CLASS(UCanvas, UObject)
	float ClipX = 1280;
	FSceneView* SceneView = nullptr;
	void DrawItem(FCanvasItem& Item) { Drawn.push_back(Item.Drawn); }

	// For tests only.
	std::vector<FDoubleDrawn> Drawn;
};
