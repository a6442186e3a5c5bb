#pragma once

#include "Double/Containers.h"

class UAbilitySystemComponent;

struct FActiveGameplayEffectHandle
{
	UAbilitySystemComponent* GetOwningAbilitySystemComponent() const;

	// For tests only.
	TWeakObjectPtr<UAbilitySystemComponent> Owner;
	int32 Number = 0;
};
