// A queue of events in the order of true time.
#pragma once

#include <functional>
#include <queue>

#include "CoreMinimal.h"

class FAgenda
{
public:
	/** Events with the same time run in the order in which they were added. */
	void Add(double At, std::function<void()> Action) { Planned.push({At, ++Added, std::move(Action)}); }

	bool RunNext(double True)
	{
		if (Planned.empty() || Planned.top().At > True) { return false; }
		const std::function<void()> Action = Planned.top().Action;
		Planned.pop();
		Action();
		return true;
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
