// The engine double: the engine, and all worlds in the process.
#pragma once

#include "Engine/World.h"

struct FWorldContext
{
	UWorld* World() const { return ThisCurrentWorld; }
	UWorld* ThisCurrentWorld = nullptr;
};

class UFont;

class UEngine
{
public:
	UFont* GetSmallFont() { return nullptr; }
	const TArray<FWorldContext>& GetWorldContexts() const;
};

extern UEngine* GEngine;
