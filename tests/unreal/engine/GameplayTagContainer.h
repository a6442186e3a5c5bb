#pragma once

#include "CoreMinimal.h"

/** Accepts any name, whereas the engine only accepts tags that the project declares. */
struct FGameplayTag
{
	FName Name;
	friend bool operator==(const FGameplayTag& A, const FGameplayTag& B) { return A.Name == B.Name; }
};

struct FGameplayTagContainer
{
	FGameplayTagContainer() = default;
	explicit FGameplayTagContainer(const FGameplayTag& Tag) { Tags.Add(Tag); }
	bool HasAny(const FGameplayTagContainer& Others) const
	{
		for (const FGameplayTag& Tag : Tags) { if (Others.Tags.Contains(Tag)) { return true; } }
		return false;
	}

	TArray<FGameplayTag> Tags;
};
