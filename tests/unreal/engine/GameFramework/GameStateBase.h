// The game state with the engine's published clock. A client averages the differences to the server's time.
// Each new difference moves the client's clock halfway to the mean. After 250 differences, the mean is folded
// into a single value.
#pragma once

#include "GameFramework/Actor.h"

class AGameStateBase : public AInfo
{
	DOUBLE_CLASS(AGameStateBase, AInfo)
	AGameStateBase() { UpdatesPerSecond = 10; }
	virtual double GetServerWorldTimeSeconds() const;

	// For tests only.
	/** The world time, pushed by the server ten times per second. */
	double ReplicatedWorldTimeSeconds = 0;
	void OnPushed(double Pushed);

private:
	float Delta = 0;
	double Sum = 0;
	int32 Count = 0;
};

inline double AGameStateBase::GetServerWorldTimeSeconds() const
{
	const double World = GetWorld() ? GetWorld()->GetTimeSeconds() : 0;
	return HasAuthority() ? World : World + static_cast<double>(Delta);
}

inline void AGameStateBase::OnPushed(double Pushed)
{
	ReplicatedWorldTimeSeconds = Pushed;
	const double Difference = static_cast<double>(Pushed - GetWorld()->GetTimeSeconds());
	if (Count >= 250)
	{
		Sum /= Count;
		Count = 1;
	}
	Sum += Difference;
	++Count;
	const double Mean = Sum / Count;
	Delta = Count == 1
		? static_cast<float>(Mean)
		: static_cast<float>(static_cast<double>(Delta) + (Mean - static_cast<double>(Delta)) / 2);
}
