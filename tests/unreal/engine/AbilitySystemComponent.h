// The engine double: the effects of one actor. API page "UAbilitySystemComponent".
//
// What the pages say of its times: an effect has a start in server world time, which is replicated, and one
// in world time, which each machine computes when the effect arrives, and again when it is told that the
// difference has changed.
#pragma once

#include "Components/ActorComponent.h"
#include "GameplayEffect.h"

class UAbilitySystemComponent : public UActorComponent
{
	DOUBLE_CLASS_COMMON(UAbilitySystemComponent, UActorComponent)
	UAbilitySystemComponent() { SetIsReplicatedByDefault(true); }
	virtual void RecomputeGameplayEffectStartTimes(const float WorldTime, const float ServerWorldTime);
	const FActiveGameplayEffect* GetActiveGameplayEffect(const FActiveGameplayEffectHandle Handle) const;
	TArray<FActiveGameplayEffectHandle> GetActiveEffects(const FGameplayEffectQuery& Query) const;
	void GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const override;

	// Of the double itself.
	static std::vector<FDoubleProperty> DoubleProperties();
	/** On the server: it begins now. Negative: it never ends. */
	FActiveGameplayEffectHandle Begin(float Duration, const TCHAR* Tag);
	/** On the server: those that have ended go. */
	void RemoveEnded();
	/** The effects of the server have arrived. */
	void Arrive(const TArray<FActiveGameplayEffect>& Replicated);
	TArray<FActiveGameplayEffect> Effects;

private:
	float ServerWorldTime() const;
	float WorldTime() const;
};
