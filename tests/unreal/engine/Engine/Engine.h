#pragma once

#include "Engine/GameInstance.h"
#include "Engine/World.h"

struct FURL
{
};

struct FWorldContext
{
	EWorldType::Type WorldType = EWorldType::None;
	UWorld* World() const { return ThisCurrentWorld; }

	// For tests only.
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
