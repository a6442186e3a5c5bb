// Holds the effects of one actor. API page "UAbilitySystemComponent".
//
// According to the API pages, an effect has a replicated start in server world time and a local start in the
// machine's world time. Each machine computes the local start when the effect arrives and when
// RecomputeGameplayEffectStartTimes is called.
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

	// For tests only.
	static std::vector<FDoubleProperty> DoubleProperties();
	/** Starts an effect on the server. An effect with a negative duration never ends. */
	FActiveGameplayEffectHandle Begin(float Duration, const TCHAR* Tag);
	void RemoveEnded();
	void Arrive(const TArray<FActiveGameplayEffect>& Replicated);
	TArray<FActiveGameplayEffect> Effects;

private:
	float ServerWorldTime() const;
	float WorldTime() const;
};
