// The engine double: the editor, whose playing the worlds of the test do.
#pragma once

#include "Engine/Engine.h"
#include "PlayInEditorDataTypes.h"

class UEditorEngine : public UEngine
{
	DOUBLE_CLASS(UEditorEngine, UEngine)
	void RequestPlaySession(const FRequestPlaySessionParams& Parameters)
	{
		OnPlay(*Parameters.EditorPlaySettings.Get());
	}
	void RequestEndPlayMap() { OnEnd(); }

	// Of the double itself.
	std::function<void(const ULevelEditorPlaySettings&)> OnPlay;
	std::function<void()> OnEnd;
};

extern UEditorEngine* GEditor;
