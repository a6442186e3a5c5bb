#pragma once

#include "Components/ActorComponent.h"
#include "Engine/World.h"

enum ENetRole { ROLE_None, ROLE_SimulatedProxy, ROLE_AutonomousProxy, ROLE_Authority };

class AActor : public UObject
{
	DOUBLE_CLASS(AActor, UObject)
	UWorld* GetWorld() const override { return Cast<UWorld>(GetOuter()); }
	ENetMode GetNetMode() const { return GetWorld() ? GetWorld()->GetNetMode() : NM_Standalone; }
	bool HasAuthority() const { return Role == ROLE_Authority; }
	AActor* GetOwner() const { return Owner; }
	virtual UNetConnection* GetNetConnection() const { return Owner ? Owner->GetNetConnection() : nullptr; }
	/** Replicates a dormant actor once. */
	void FlushNetDormancy() { ++Flushes; }
	/** Replicates the actor in this frame instead of waiting for its next update. */
	virtual void ForceNetUpdate() { ++Forced; }
	virtual void BeginPlay() {}
	virtual void Tick(float) {}
	virtual void EndPlay(const EEndPlayReason::Type) {}
	template <class T> T* FindComponentByClass() const
	{
		for (UActorComponent* Component : Components) { if (T* Found = Cast<T>(Component)) { return Found; } }
		return nullptr;
	}
	template <class T> T* CreateDefaultSubobject(FName)
	{
		T* Made = NewObject<T>(this);
		static_cast<UActorComponent*>(Made)->OuterPrivate = this;
		Components.push_back(Made);
		return Made;
	}

	FTickFunction PrimaryActorTick;

	// For tests only.
	AActor* Owner = nullptr;
	ENetRole Role = ROLE_Authority;
	bool bDormant = false;
	int32 Flushes = 0, Forced = 0;
	/** The rate is below the frame rate, because a controller competes with all other actors on its
	 * connection. */
	double UpdatesPerSecond = 20;
	std::vector<UActorComponent*> Components;
};

class AInfo : public AActor
{
	DOUBLE_CLASS(AInfo, AActor)
};
