// The worlds implement this editor's play sessions.
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

	// For tests only.
	std::function<void(const ULevelEditorPlaySettings&)> OnPlay;
	std::function<void()> OnEnd;
};

extern UEditorEngine* GEditor;
