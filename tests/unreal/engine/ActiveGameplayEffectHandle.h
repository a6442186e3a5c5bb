// Identifies an active effect on one machine. API page "FActiveGameplayEffectHandle".
#pragma once

#include "Double/Weak.h"

class UAbilitySystemComponent;

struct FActiveGameplayEffectHandle
{
	UAbilitySystemComponent* GetOwningAbilitySystemComponent() const;

	// Not in the engine.
	TWeakObjectPtr<UAbilitySystemComponent> Owner;
	int32 Number = 0;
};
