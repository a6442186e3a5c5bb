#pragma once

#include "CoreMinimal.h"

struct FKey
{
	const char* Name = "";
};

struct EKeys
{
	static constexpr FKey SpaceBar{"SpaceBar"};
	static constexpr FKey P{"P"};
	static constexpr FKey M{"M"};
	static constexpr FKey R{"R"};
};

enum EInputEvent { IE_Pressed, IE_Released };
