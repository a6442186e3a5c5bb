// What is to happen at a true time, in its order.
#pragma once

#include <functional>
#include <queue>

#include "CoreMinimal.h"

class FAgenda
{
public:
	/** Of two at one time, the one that was added first comes first. */
	void Add(double At, std::function<void()> Action) { Planned.push({At, ++Added, std::move(Action)}); }

	/** Everything up to this true time, and what that adds. */
	void RunUntil(double True)
	{
		while (!Planned.empty() && Planned.top().At <= True)
		{
			const std::function<void()> Action = Planned.top().Action;
			Planned.pop();
			Action();
		}
	}

private:
	struct FEvent
	{
		double At;
		uint64 Number;
		std::function<void()> Action;
		bool operator<(const FEvent& Other) const
		{
			return At != Other.At ? At > Other.At : Number > Other.Number;
		}
	};
	std::priority_queue<FEvent> Planned;
	uint64 Added = 0;
};
