#pragma once

#include "UObject/Object.h"

enum ENetMode { NM_Standalone, NM_DedicatedServer, NM_ListenServer, NM_Client, NM_MAX };
enum class ELevelCollectionType : uint8 { DynamicSourceLevels, DynamicDuplicatedLevels, StaticLevels, MAX };
enum ELevelTick { LEVELTICK_TimeOnly, LEVELTICK_ViewportsOnly, LEVELTICK_All, LEVELTICK_PauseTick };
namespace EWorldType
{
	enum Type { None, Game, Editor, PIE, EditorPreview, GamePreview, GameRPC, Inactive };
}
namespace EEndPlayReason
{
	enum Type { Destroyed, LevelTransition, EndPlayInEditor, RemovedFromWorld, Quit };
}

struct FLifetimeProperty
{
	const char* Name;
	const UClass* Class;
};
