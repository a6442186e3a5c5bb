// The engine double: names an active effect, on the machine that it is active on. API page
// "FActiveGameplayEffectHandle".
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
