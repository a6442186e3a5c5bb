#pragma once

#include "UObject/Object.h"

struct FFrameTime
{
	double Frames = 0;
};

struct FFrameRate
{
	FFrameRate(int32 InNumerator, int32 InDenominator) : Numerator(InNumerator), Denominator(InDenominator) {}
	FFrameTime AsFrameTime(double Seconds) const { return {Seconds * Numerator / Denominator}; }
	int32 Numerator, Denominator;
};

struct FQualifiedFrameTime
{
	FQualifiedFrameTime(const FFrameTime& InTime, const FFrameRate& InRate) : Time(InTime), Rate(InRate) {}
	FFrameTime Time;
	FFrameRate Rate;
};

class UTimecodeProvider : public UObject
{
	DOUBLE_CLASS(UTimecodeProvider, UObject)
	virtual FQualifiedFrameTime GetQualifiedFrameTime() const { return {FFrameTime(), FFrameRate(24, 1)}; }
};
