#pragma once

#include "Engine/EngineTypes.h"

class FSubsystemCollectionBase
{
};

class USubsystem : public UObject
{
	DOUBLE_CLASS(USubsystem, UObject)
	virtual void Initialize(FSubsystemCollectionBase&) {}
	virtual void Deinitialize() {}
};

class UWorldSubsystem : public USubsystem
{
	DOUBLE_CLASS(UWorldSubsystem, USubsystem)
	UWorld* GetWorld() const override;
	virtual void OnWorldBeginPlay(UWorld&) {}
	virtual bool DoesSupportWorldType(const EWorldType::Type) const { return true; }
};
