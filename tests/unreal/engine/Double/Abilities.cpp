// The engine double: gameplay effects.
#include "AbilitySystemComponent.h"

#include "Double/Net.h"
#include "Engine/World.h"
#include "GameFramework/GameStateBase.h"

UAbilitySystemComponent* FActiveGameplayEffectHandle::GetOwningAbilitySystemComponent() const
{
	return Owner.Get();
}

float UAbilitySystemComponent::WorldTime() const { return static_cast<float>(GetWorld()->GetTimeSeconds()); }

float UAbilitySystemComponent::ServerWorldTime() const
{
	const AGameStateBase* State = GetWorld()->GetGameState();
	return State ? static_cast<float>(State->GetServerWorldTimeSeconds()) : WorldTime();
}

void UAbilitySystemComponent::RecomputeGameplayEffectStartTimes(
	const float WorldTime, const float ServerWorldTime)
{
	for (FActiveGameplayEffect& Effect : Effects)
	{
		Effect.RecomputeStartWorldTime(WorldTime, ServerWorldTime);
	}
}

const FActiveGameplayEffect* UAbilitySystemComponent::GetActiveGameplayEffect(
	const FActiveGameplayEffectHandle Handle) const
{
	for (const FActiveGameplayEffect& Effect : Effects)
	{
		if (Handle.Owner == this && Effect.Number == Handle.Number) { return &Effect; }
	}
	return nullptr;
}

TArray<FActiveGameplayEffectHandle> UAbilitySystemComponent::GetActiveEffects(
	const FGameplayEffectQuery& Query) const
{
	TArray<FActiveGameplayEffectHandle> Found;
	for (const FActiveGameplayEffect& Effect : Effects)
	{
		if (Effect.Granted.HasAny(Query.Wanted))
		{
			Found.Add({const_cast<UAbilitySystemComponent*>(this), Effect.Number});
		}
	}
	return Found;
}

FActiveGameplayEffectHandle UAbilitySystemComponent::Begin(float Duration, const TCHAR* Tag)
{
	static int32 Last = 0;
	FActiveGameplayEffect Effect;
	Effect.Number = ++Last;
	Effect.Duration = Duration;
	Effect.Granted = FGameplayTagContainer(FGameplayTag{Tag});
	Effect.StartServerWorldTime = ServerWorldTime();
	Effect.StartWorldTime = WorldTime();
	Effects.Add(Effect);
	return {this, Effect.Number};
}

void UAbilitySystemComponent::RemoveEnded()
{
	const float Now = WorldTime();
	Effects.RemoveAll([Now](const FActiveGameplayEffect& Effect)
		{ return Effect.GetDuration() > 0 && Effect.GetTimeRemaining(Now) <= 0; });
}

void UAbilitySystemComponent::Arrive(const TArray<FActiveGameplayEffect>& Replicated)
{
	const TArray<FActiveGameplayEffect> Before = Effects;
	Effects = Replicated;
	for (FActiveGameplayEffect& Effect : Effects)
	{
		Effect.RecomputeStartWorldTime(WorldTime(), ServerWorldTime());
		for (const FActiveGameplayEffect& Known : Before)
		{
			if (Known.Number == Effect.Number) { Effect.StartWorldTime = Known.StartWorldTime; }
		}
	}
}

void UAbilitySystemComponent::GetLifetimeReplicatedProps(TArray<FLifetimeProperty>& OutLifetimeProps) const
{
	OutLifetimeProps.Add(FLifetimeProperty{"Effects", StaticClass(), COND_None});
}

std::vector<FDoubleProperty> UAbilitySystemComponent::DoubleProperties()
{
	using FEffects = TArray<FActiveGameplayEffect>;
	return {{"Effects", true,
		[](const UObject* Object, const std::any& Other)
		{
			return DoubleSame(static_cast<const UAbilitySystemComponent*>(Object)->Effects,
				*std::any_cast<FEffects>(&Other));
		},
		[](const UObject* Object)
		{ return std::any(static_cast<const UAbilitySystemComponent*>(Object)->Effects); },
		[](UObject* Object, const std::any& Other)
		{ static_cast<UAbilitySystemComponent*>(Object)->Arrive(*std::any_cast<FEffects>(&Other)); }, nullptr,
		nullptr, nullptr, "", ""}};
}
