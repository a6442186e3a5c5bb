#include <cstring>

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
	OutLifetimeProps.Add(FLifetimeProperty{"Effects", StaticClass()});
}

/** An effect's number, duration, start and tag always replicate together. */
static std::string Pack(const FActiveGameplayEffect& Effect)
{
	const float Numbers[] = {static_cast<float>(Effect.Number), Effect.Duration, Effect.StartServerWorldTime};
	std::string Packed(reinterpret_cast<const char*>(Numbers), sizeof(Numbers));
	for (const FGameplayTag& Tag : Effect.Granted.Tags) { Packed += FDouble::Narrow(*Tag.Name.ToString()); }
	return Packed;
}

static FActiveGameplayEffect Unpack(const std::string& Packed)
{
	float Numbers[3];
	std::memcpy(Numbers, Packed.data(), sizeof(Numbers));
	FActiveGameplayEffect Effect;
	Effect.Number = static_cast<int32>(Numbers[0]);
	Effect.Duration = Numbers[1];
	Effect.StartServerWorldTime = Numbers[2];
	Effect.Granted =
		FGameplayTagContainer(FGameplayTag{FName(UTF8_TO_TCHAR(Packed.c_str() + sizeof(Numbers)))});
	return Effect;
}

std::vector<FDoubleProperty> UAbilitySystemComponent::DoubleProperties()
{
	return {{"Effects", true,
		[](UObject* Object)
		{
			FDoubleMembers Members;
			const UAbilitySystemComponent& Of = *static_cast<UAbilitySystemComponent*>(Object);
			for (const FActiveGameplayEffect& Effect : Of.Effects) { Members.push_back(Pack(Effect)); }
			return Members;
		},
		[](UObject* Object, const FDoubleMembers& Members)
		{
			TArray<FActiveGameplayEffect> Arrived;
			for (const std::string& Packed : Members)
			{
				if (!Packed.empty()) { Arrived.Add(Unpack(Packed)); }
			}
			static_cast<UAbilitySystemComponent*>(Object)->Arrive(Arrived);
		},
		nullptr, nullptr, nullptr, "", ""}};
}
