// In Gameplay Abilities and in the nodes, the clients' durations of gameplay effects must match the server's.
#include "AbilitySystemComponent.h"
#include "NetClockEffects.h"
#include "Scenarios.h"

/** Converts the times of effects only on arrival, like the engine without the plugin. */
class UUnhelpedAbilitySystem : public UAbilitySystemComponent
{
	DOUBLE_CLASS(UUnhelpedAbilitySystem, UAbilitySystemComponent)
	void RecomputeGameplayEffectStartTimes(const float, const float) override {}
};

namespace Scenarios
{
	template <class T> static T* Give(FPeer& Peer)
	{
		T* Made = static_cast<T*>(FDouble::Make(T::StaticClass(), Peer.ServerController));
		Made->RegisterComponent();
		return Made;
	}

	template <class T> static const T* Of(const FPeer& Peer)
	{
		for (UActorComponent* Component : Peer.Controller->Components)
		{
			if (Component->GetClass() == T::StaticClass()) { return static_cast<T*>(Component); }
		}
		return nullptr;
	}

	static double ErrorMs(const UAbilitySystemComponent* Effects, const UAbilitySystemComponent* Truth,
		double ServerWorldSeconds)
	{
		const FActiveGameplayEffect& There = Truth->Effects[0];
		const double Left = static_cast<double>(There.StartServerWorldTime) +
			static_cast<double>(There.GetDuration()) - ServerWorldSeconds;
		const double Shown = static_cast<double>(
			Effects->Effects[0].GetTimeRemaining(static_cast<float>(Effects->GetWorld()->GetTimeSeconds())));
		return (Shown - Left) * 1000;
	}

	static void EffectNodes(const UAbilitySystemComponent* Effects)
	{
		const FGameplayTagContainer Burning(FGameplayTag{TEXT("Cooldown.Burning")});
		double Left = 0, Whole = 0, Begin = 0, End = 0, Rest = 0;
		Expect(UNetClockEffectNodes::GetCooldownTimes(Effects, Burning, Left, Whole), "a cooldown");
		ExpectNear(Whole, 60, 1e-3, "the whole duration of the effect");
		const double Shown = static_cast<double>(
			Effects->Effects[0].GetTimeRemaining(static_cast<float>(Effects->GetWorld()->GetTimeSeconds())));
		ExpectNear(Left, Shown, 2e-3, "the remaining time agrees with Gameplay Abilities");
		const TArray<FActiveGameplayEffectHandle> Found =
			Effects->GetActiveEffects(FGameplayEffectQuery::MakeQuery_MatchAnyOwningTags(Burning));
		Expect(UNetClockEffectNodes::GetEffectTimes(Found[0], Begin, End, Rest), "one effect");
		ExpectNear(Rest, Left, 0, "its rest");
		ExpectNear(End - Begin, 60, 1e-3, "the effect ends 60 s after its start");
		FActiveGameplayEffectHandle Endless = Found[0];
		Endless.Number = Effects->Effects[1].Number;
		Expect(!UNetClockEffectNodes::GetEffectTimes(Endless, Begin, End, Rest), "endless: no times");
		Expect(!UNetClockEffectNodes::GetEffectTimes({}, Begin, End, Rest), "no effect");
		Expect(!UNetClockEffectNodes::GetCooldownTimes(nullptr, Burning, Left, Whole), "null: no cooldown");
		const FGameplayTagContainer Other(FGameplayTag{TEXT("Cooldown.None")});
		Expect(!UNetClockEffectNodes::GetCooldownTimes(Effects, Other, Left, Whole), "another tag");
		ExpectIn(Left, 0, 0, "leaves nothing");
	}

	SCENARIO(GameplayEffects, Once)
	{
		const std::vector<const UClass*> LeftOut = std::exchange(FDouble::State.LeftOut, {});
		FSession Session(At(59.3, 10, 5000), NM_DedicatedServer, Seed + 38);
		Session.Run(3);
		FPeer& Peer = Session.Join(At(97.3, -15, 300), Link(60, 4, 0.01, 0.01));
		Session.RunUntil([&]() { return Peer.ServerController != nullptr; });
		Session.Run(0.3);
		UAbilitySystemComponent* There = Give<UAbilitySystemComponent>(Peer);
		UUnhelpedAbilitySystem* Unhelped = Give<UUnhelpedAbilitySystem>(Peer);
		// The client may know only the engine's time when the effects arrive.
		for (UAbilitySystemComponent* Each : {There, static_cast<UAbilitySystemComponent*>(Unhelped)})
		{
			Each->Begin(60, TEXT("Cooldown.Burning"));
			Each->Begin(-1, TEXT("State.Burning"));
		}
		FMachine& Server = *Session.Server;
		FSeen Helped, Alone, Moving;
		const double Start = FDouble::State.Now;
		Peer.OnJudged = [&](double True, double)
		{
			const UAbilitySystemComponent* Here = Of<UAbilitySystemComponent>(Peer);
			if (!Here || Here->Effects.IsEmpty()) { return; }
			const double Phase = True - Start;
			// Measures before a pause, a few seconds after it, and after a long server frame.
			const bool bSettled = (Phase > 8 && Phase < 10) || Phase > 21;
			(bSettled ? Helped : Moving).ErrorsMs.push_back(ErrorMs(Here, There, Server.WorldTimeAt(True)));
			if (bSettled)
			{
				Alone.ErrorsMs.push_back(
					ErrorMs(Of<UUnhelpedAbilitySystem>(Peer), Unhelped, Server.WorldTimeAt(True)));
			}
		};
		Session.Run(10);
		Server.World->bPaused = true;
		Session.Run(1.5);
		Server.World->bPaused = false;
		Server.World->Settings->TimeDilation = 0.25f;
		Session.Run(2);
		Server.World->Settings->TimeDilation = 1.0f;
		Session.Run(1);
		Server.Hitch = 1.0;
		Session.Run(10);
		Peer.Machine.Enter();
		EffectNodes(Of<UAbilitySystemComponent>(Peer));
		const int32 Times = UNetClockEffects::Of(Peer.Machine.World)->GetRecomputations();
		std::printf("    effects: remaining time off by %.2f ms (p99), at most %.1f ms while settling; "
					"without the plugin by %.1f ms; converted %d times\n",
			Helped.Quantile(0.99), Moving.Quantile(1), Alone.Quantile(0.99), Times);
		Expect(Helped.ErrorsMs.size() > 500 && Helped.Quantile(0.99) < 5,
			"the remaining time is accurate after the clock has settled (ms)", Helped.Quantile(0.99));
		Expect(Alone.Quantile(0.5) > 30, "it is inaccurate without the plugin (ms)", Alone.Quantile(0.5));
		Expect(Times > 25 * 4 && Times < 700, "effects are converted only if necessary", Times);
		Expect(UNetClockEffects::Of(Server.World)->GetRecomputations() == 0, "a server converts no effects");
		const float Before = There->Effects[0].StartWorldTime;
		UNetClockEffects::Of(Server.World)->RecomputeEffectTimes();
		Expect(There->Effects[0].StartWorldTime >= Before && There->Effects[0].StartWorldTime <= Before,
			"a server converts no effects on request");
		Peer.OnJudged = nullptr;
		There->RemoveEnded();
		Expect(There->Effects.Num() == 2, "no effect has ended yet");
		FDouble::State.LeftOut = LeftOut;
	}
}
