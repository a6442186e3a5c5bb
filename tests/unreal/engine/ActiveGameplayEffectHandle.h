// The engine double: names an active effect, on the machine that it is active on. API page
// "FActiveGameplayEffectHandle".
#pragma once

#include "Double/Weak.h"

class UAbilitySystemComponent;

struct FActiveGameplayEffectHandle
{
	UAbilitySystemComponent* GetOwningAbilitySystemComponent() const;

	// Of the double itself.
	TWeakObjectPtr<UAbilitySystemComponent> Owner;
	int32 Number = 0;
};
