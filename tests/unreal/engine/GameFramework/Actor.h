// The engine double: actors.
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
	/** A dormant actor replicates nothing until then. */
	void FlushNetDormancy() {}
	/** Its properties are looked at in this frame's update. */
	virtual void ForceNetUpdate() {}
	virtual void BeginPlay() {}
	/** Called in each frame of a world that is not paused, if the tick function says so. */
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

	// Of the double itself.
	AActor* Owner = nullptr;
	ENetRole Role = ROLE_Authority;
	std::vector<UActorComponent*> Components;
};

class AInfo : public AActor
{
	DOUBLE_CLASS(AInfo, AActor)
};
