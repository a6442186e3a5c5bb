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

struct FColor
{
	static const FColor Green;
};
inline const FColor FColor::Green{};

class UEngine : public UObject
{
	DOUBLE_CLASS(UEngine, UObject)
	const TArray<FWorldContext>& GetWorldContexts() const;
	UFont* GetSmallFont() { return nullptr; }
	void DestroyWorldContext(UWorld*) {}
	void AddOnScreenDebugMessage(int32, float Seconds, FColor, const FString& Message)
	{
		OnScreen.push_back({Seconds, FDouble::Narrow(*Message)});
	}

	// For tests only.
	std::vector<std::pair<float, std::string>> OnScreen;
};

extern UEngine* GEngine;
