// Reads the clock outside the game thread, so that the thread sanitizer can check it.
#include <atomic>
#include <thread>

#include "GameFramework/GameStateBase.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** The audio thread reads the clock while the game thread reads packets and sets frame times. */
	class FAudioThread
	{
	public:
		FAudioThread(const UNetClockSubsystem& Clock, const AGameStateBase& State) :
			Thread([this, &Clock, &State]()
			{
				int64 Last = 0;
				double LastWorld = 0;
				while (!bStop)
				{
					const int64 Ticks = Clock.GetServerTimeTicks();
					const double World = Clock.ShowWorldTime(State, 0);
					Backwards += Ticks < Last || World < LastWorld ? 1 : 0;
					Behind += Clock.GetServerTimeSeconds() < NetClock::TicksToSeconds(Ticks) ? 1 : 0;
					Last = Ticks;
					LastWorld = World;
					++Reads;
				}
			})
		{
		}
		void Stop()
		{
			bStop = true;
			Thread.join();
		}

		int64 Reads = 0, Backwards = 0, Behind = 0;

	private:
		std::atomic<bool> bStop{false};
		std::thread Thread;
	};

	DUO(Threads, Once, Seed + 95)
	{
		Session.Run(5);
		const AGameStateBase& State = *Peer.Machine.World->GetGameState();
		const UNetClockSubsystem& Clock = *Peer.Clock();
		FAudioThread Audio(Clock, State);
		std::atomic<int32> Unequal{0};
		Peer.Machine.OnActors = [&]()
		{
			// Several threads read the clock while actors tick, as animation and Mass do.
			const double Shown = static_cast<double>(State.GetServerWorldTimeSeconds());
			const auto Read = [&]()
			{
				double Age = 1;
				const bool bSame = Clock.GetAgeOfServerTime(Clock.GetServerTimeTicks(), Age) &&
					static_cast<double>(State.GetServerWorldTimeSeconds()) == Shown &&
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
		Audio.Stop();
		Expect(Audio.Reads > 100, "reads of the audio thread", Audio.Reads);
		ExpectNone(Audio.Backwards, "reads of the audio thread went backwards");
		ExpectNone(Audio.Behind, "reads of the audio thread were behind the previous read");
		Expect(Unequal == 0, "reads in one frame differ", Unequal.load());
		Promises(Peer);
	}
}
