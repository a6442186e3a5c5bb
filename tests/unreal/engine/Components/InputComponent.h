#pragma once

#include "Components/ActorComponent.h"
#include "Engine/World.h"
#include "InputCoreTypes.h"

struct FInputKeyBinding
{
	bool bExecuteWhenPaused = false;

	// For tests only.
	std::string Key;
	std::function<void()> Function;
};

class UInputComponent : public UActorComponent
{
	DOUBLE_CLASS(UInputComponent, UActorComponent)
	template <class T>
	FInputKeyBinding& BindKey(const FKey Key, const EInputEvent, T* Object, void (T::*Function)())
	{
		Bindings.push_back({false, Key.Name, [Object, Function]() { (Object->*Function)(); }});
		return Bindings.back();
	}

	// For tests only.
	std::deque<FInputKeyBinding> Bindings;
	void Press(const std::string& Key)
	{
		for (const FInputKeyBinding& Binding : Bindings)
		{
			if (Binding.Key == Key && (Binding.bExecuteWhenPaused || !GetWorld()->IsPaused()))
			{
				Binding.Function();
			}
		}
	}
};
