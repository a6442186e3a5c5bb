// The scenarios of the link.
#pragma once

#include "CoreMinimal.h"

namespace Scenarios
{
	/** Every row of the tables again, with the link on. */
	void LinkTable(uint64 Seed, double Loss);

	void LinkTraffic(uint64 Seed);
	void LinkFallsBack(uint64 Seed);
	void LinkIsNotPossible(uint64 Seed);
	void LinkPorts(uint64 Seed);
	void LinkLives(uint64 Seed);
	void LinkHosts(uint64 Seed);
	void LinkListen(uint64 Seed);
	void LinkSplitScreen(uint64 Seed);
	void LinkKey(uint64 Seed);
	void LinkNews(uint64 Seed);
}
