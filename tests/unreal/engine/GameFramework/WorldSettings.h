#pragma once

#include "GameFramework/Actor.h"

class AWorldSettings : public AInfo
{
	DOUBLE_CLASS(AWorldSettings, AInfo)
	virtual float GetEffectiveTimeDilation() const { return TimeDilation; }
	float TimeDilation = 1.0f;
	float MaxUndilatedFrameTime = 0.4f;
};
