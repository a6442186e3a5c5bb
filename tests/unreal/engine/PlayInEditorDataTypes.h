// The engine double: a request to play in the editor.
#pragma once

#include "Settings/LevelEditorPlaySettings.h"

struct FRequestPlaySessionParams
{
	TObjectPtr<ULevelEditorPlaySettings> EditorPlaySettings;
};
