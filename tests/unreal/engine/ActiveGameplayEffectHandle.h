// Identifies an active effect on one machine. API page "FActiveGameplayEffectHandle".
#pragma once

#include "Double/Weak.h"

class UAbilitySystemComponent;

struct FActiveGameplayEffectHandle
{
	UAbilitySystemComponent* GetOwningAbilitySystemComponent() const;

	// Only in the double.
	TWeakObjectPtr<UAbilitySystemComponent> Owner;
	int32 Number = 0;
};
