#pragma once

#include "Engine/EngineTypes.h"

class AActor;

struct FTickFunction
{
	bool bCanEverTick = false;
};

class UActorComponent : public UObject
{
	DOUBLE_CLASS(UActorComponent, UObject)
	AActor* GetOwner() const;
	UWorld* GetWorld() const override;
	ENetMode GetNetMode() const;
	void RegisterComponent();
	virtual void BeginPlay() { bBegun = true; }
	virtual void EndPlay(const EEndPlayReason::Type) {}

	FTickFunction PrimaryComponentTick;

protected:
	void SetIsReplicatedByDefault(bool bNew) { bReplicated = bNew; }

public:
	// For tests only.
	bool bReplicated = false;
	bool bRegistered = false;
	bool bBegun = false;
	void End(EEndPlayReason::Type Reason);
};
