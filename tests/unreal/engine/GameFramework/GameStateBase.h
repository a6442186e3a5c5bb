// The engine double: the game state and the engine's own clock, after its published description: the server's
// world time is pushed with no allowance for latency; a client averages the differences it sees (folding the
// mean after 250 of them) and moves halfway towards the mean at each.
#pragma once

#include "GameFramework/Actor.h"

class AGameStateBase : public AInfo
{
	DOUBLE_CLASS(AGameStateBase, AInfo)
	virtual FDoubleSeconds GetServerWorldTimeSeconds() const;

	// Of the double itself.
	/** What the server pushes, ten times a second. */
	FDoubleSeconds ReplicatedWorldTimeSeconds = 0;
	void OnPushed(FDoubleSeconds Pushed);

private:
	float Delta = 0;
	double Sum = 0;
	int32 Count = 0;
};

inline FDoubleSeconds AGameStateBase::GetServerWorldTimeSeconds() const
{
	const FDoubleSeconds World = GetWorld() ? GetWorld()->GetTimeSeconds() : 0;
	return HasAuthority() ? World : World + static_cast<FDoubleSeconds>(Delta);
}

inline void AGameStateBase::OnPushed(FDoubleSeconds Pushed)
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
