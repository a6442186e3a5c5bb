// A Blueprint binds the pins of a latent node and then activates the node.
#pragma once

#include "Engine/GameInstance.h"
#include "Engine/World.h"

class UBlueprintAsyncActionBase : public UObject
{
	DOUBLE_CLASS(UBlueprintAsyncActionBase, UObject)
	virtual void Activate() {}
	virtual void RegisterWithGameInstance(const UObject* WorldContextObject)
	{
		Instance = WorldContextObject && WorldContextObject->GetWorld()
			? WorldContextObject->GetWorld()->GetGameInstance()
			: nullptr;
		if (UGameInstance* Keeps = Instance.Get()) { Keeps->RegisterReferencedObject(this); }
	}
	/** Allows the engine to garbage-collect the object. */
	virtual void SetReadyToDestroy()
	{
		if (UGameInstance* Kept = Instance.Get()) { Kept->UnregisterReferencedObject(this); }
		bGone = true;
	}

private:
	TWeakObjectPtr<UGameInstance> Instance;
};
