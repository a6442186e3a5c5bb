#pragma once

#include "CoreMinimal.h"

/** The double creates a tag from a name. The engine looks it up among the project's declared tags. */
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
