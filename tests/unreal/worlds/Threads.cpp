// Reads the clock outside the game thread, so that the thread sanitizer can check it.
#include <atomic>
#include <thread>

#include "Scenarios.h"

namespace Scenarios
{
	/** The audio thread reads the clock while the game thread reads packets and sets frame times. */
	DUO(Threads, Once, Seed + 95)
	{
		Session.Run(5);
		const AGameStateBase& State = *Peer.Machine.World->GetGameState();
		const UNetClockSubsystem& Clock = *Peer.Clock();
		std::atomic<bool> bStop{false};
		int64 Reads = 0, Backwards = 0, Behind = 0;
		std::thread Audio([&]()
		{
			int64 Last = 0;
			double LastWorld = 0;
			for (; !bStop; ++Reads)
			{
				const int64 Ticks = Clock.GetServerTimeTicks();
				const double World = Clock.ShowWorldTime(State, 0);
				Backwards += Ticks < Last || World < LastWorld ? 1 : 0;
				Behind += Clock.GetServerTimeSeconds() < NetClock::TicksToSeconds(Ticks) ? 1 : 0;
				Last = Ticks;
				LastWorld = World;
			}
		});
		std::atomic<int32> Unequal{0};
		Peer.Machine.OnActors = [&]()
		{
			// Several threads read the clock while actors tick, as animation and Mass do.
			const double Shown = State.GetServerWorldTimeSeconds();
			const auto Read = [&]()
			{
				double Age = 1;
				const bool bSame = Clock.GetAgeOfServerTime(Clock.GetServerTimeTicks(), Age) &&
					State.GetServerWorldTimeSeconds() == Shown &&
					Clock.GetStatus().ServerTicks == Clock.GetServerTimeTicks() &&
					Clock.GetWorldReading(ENetClockWorldClock::World).bIsKnown == Clock.IsWorldTimeKnown() &&
					Age <= 0 && Clock.GetStatus().ErrorBoundMs > 0;
				Unequal += bSame ? 0 : 1;
			};
			std::thread Workers[] = {std::thread(Read), std::thread(Read)};
			for (std::thread& Worker : Workers) { Worker.join(); }
		};
		Session.Run(2);
		Peer.Machine.OnActors = nullptr;
		bStop = true;
		Audio.join();
		Expect(Reads > 100, "reads of the audio thread", Reads);
		ExpectNone(Backwards, "reads of the audio thread went backwards");
		ExpectNone(Behind, "reads of the audio thread were behind the previous read");
		Expect(Unequal == 0, "reads in one frame differ", Unequal.load());
		Promises(Peer);
	}
}
