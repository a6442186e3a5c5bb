// The engine double: what outlives the worlds of one game.
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

	/** Objects that live at least as long as they are registered. */
	void RegisterReferencedObject(UObject* Object) { Referenced.push_back(Object); }
	void UnregisterReferencedObject(UObject* Object);
	/** A game of its own: a world without a server, and its subsystems. */
	void InitializeStandalone();
	/** Makes its subsystems. */
	void Init();
	void Shutdown();

	// Of the double itself.
	std::vector<UObject*> Referenced;
	UWorld* World = nullptr;
	std::vector<UObject*> Subsystems;
};
