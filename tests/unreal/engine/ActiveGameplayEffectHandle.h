#pragma once

#include "Double/Weak.h"

class UAbilitySystemComponent;

struct FActiveGameplayEffectHandle
{
	UAbilitySystemComponent* GetOwningAbilitySystemComponent() const;

	// For tests only.
	TWeakObjectPtr<UAbilitySystemComponent> Owner;
	int32 Number = 0;
};
