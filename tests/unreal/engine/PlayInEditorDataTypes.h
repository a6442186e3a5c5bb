#pragma once

#include "Settings/LevelEditorPlaySettings.h"

struct FRequestPlaySessionParams
{
	TObjectPtr<ULevelEditorPlaySettings> EditorPlaySettings;
};
