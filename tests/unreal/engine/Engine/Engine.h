// The engine double: the engine itself, as far as it knows of worlds.
#pragma once

#include "Engine/GameInstance.h"
#include "Engine/World.h"

/** Where a map is opened; here there is only one. */
struct FURL
{
};

struct FWorldContext
{
	EWorldType::Type WorldType = EWorldType::None;
	UWorld* World() const { return ThisCurrentWorld; }

	// Of the double itself.
	UWorld* ThisCurrentWorld = nullptr;
};

class UFont;

class UEngine : public UObject
{
	DOUBLE_CLASS(UEngine, UObject)
	const TArray<FWorldContext>& GetWorldContexts() const;
	UFont* GetSmallFont() { return nullptr; }
	void DestroyWorldContext(UWorld*) {}
};

extern UEngine* GEngine;
