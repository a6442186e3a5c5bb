#pragma once

#include "Engine/EngineTypes.h"

class APlayerController;

class UGameInstance : public UObject
{
	DOUBLE_CLASS(UGameInstance, UObject)
	UWorld* GetWorld() const override { return World; }
	template <class T> T* GetSubsystem() const
	{
		for (UObject* Subsystem : Subsystems) { if (T* Found = Cast<T>(Subsystem)) { return Found; } }
		return nullptr;
	}
	APlayerController* GetFirstLocalPlayerController(const UWorld* World = nullptr) const;

	void RegisterReferencedObject(UObject* Object) { Referenced.push_back(Object); }
	void UnregisterReferencedObject(UObject* Object);
	void InitializeStandalone();
	void Init();
	void Shutdown();

	// For tests only.
	std::vector<UObject*> Referenced;
	UWorld* World = nullptr;
	std::vector<UObject*> Subsystems;
};
