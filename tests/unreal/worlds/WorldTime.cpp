// Compares the clients' time of a paused and dilated world with the server's.
#include <cmath>

#include "Scenarios.h"

namespace Scenarios
{
	/** The server has run for 20 hours, so a float has a resolution of 8 ms. Each shot carries the real time
	 * at which it was fired, and its flight is computed in world time. */
	DUO(WorldClocks, Once, Seed + 33, Link(), NM_DedicatedServer, At(97.3), At(59.3, 10, 5000))
	{
		FMachine& Server = *Session.Server;
		Server.World->TimeSeconds += 70000;
		Server.World->UnpausedTimeSeconds += 71000;
		Server.World->AudioTimeSeconds += 72000;
		Session.Run(30);
		Promises(Peer);
		const double P99 = Peer.Judged.NetClock.Quantile(0.99);
		// In 24 runs, the largest 99th percentile was 1.74 ms.
		Expect(P99 <= 2, "p99 after 20 hours, in ms", P99);
		const UNetClockSubsystem *There = Server.Get<UNetClockSubsystem>(), *Here = Peer.Clock();
		std::vector<std::pair<int64, double>> Shots;
		const double Start = FDouble::State.Now;
		Server.OnActors = [&]()
		{
			const double Elapsed = FDouble::State.Now - Start, Phase = std::fmod(Elapsed, 6.0);
			Server.World->bPaused = Phase > 1.0 && Phase < 2.0;
			Server.World->Settings->TimeDilation = Phase > 1.5 && Phase < 4.0 ? 0.3f : 1.0f;
			if (Elapsed < 24) { return; }
			Shots.push_back({There->GetServerTimeTicks(), Server.World->GetTimeSeconds()});
		};
		FSeen Unpaused, Audio;
		int32 Outside = 0;
		double LastUnpaused = -1, LastAudio = -1;
		Peer.OnJudged = [&](double True, double)
		{
			const auto Check = [&](ENetClockWorldClock Clock, double Truth, double& Last, FSeen& Seen)
			{
				const FNetClockWorldReading Reading = Here->GetWorldReading(Clock);
				const double ErrorMs = (Reading.Seconds - Truth) * 1000;
				Seen.ErrorsMs.push_back(ErrorMs);
				const bool bInside = FMath::Abs(ErrorMs) <= Reading.ErrorBoundMs && Reading.Seconds >= Last;
				Outside += Reading.bIsKnown && bInside ? 0 : 1;
				Last = Reading.Seconds;
			};
			Check(ENetClockWorldClock::Unpaused, Server.UnpausedTimeAt(True), LastUnpaused, Unpaused);
			Check(ENetClockWorldClock::Audio, Server.AudioTimeAt(True), LastAudio, Audio);
		};
		Session.Run(30);
		Server.OnActors = nullptr;
		Promises(Peer);
		ExpectNone(Outside, "readings outside their bounds, backwards or unknown");
		Expect(Unpaused.Quantile(0.5) < 2 && Audio.Quantile(0.5) < 2, "both clocks agree with the server's");
		const FNetClockWorldReading Own = There->GetWorldReading(ENetClockWorldClock::Audio);
		Expect(Own.bIsKnown && Own.Seconds == Server.World->GetAudioTimeSeconds(),
			"the server's own times are the engine's", Own.Seconds);

		Session.Run(2);
		const double Last = Peer.Machine.TickStart, Truth = Server.WorldTimeAt(Last);
		const double Now = Server.Clock.At(Last);
		double WorstMs = 0;
		const auto Compare = [&](double Seen, double Wanted)
		{ WorstMs = FMath::Max(WorstMs, FMath::Abs(Seen - Wanted) * 1000); };
		for (const auto& [Ticks, World] : Shots)
		{
			double Fired = 0, Age = 0, Then = 0;
			int64 Back = 0;
			Expect(Here->GetWorldTimeAt(ENetClockWorldClock::World, Ticks, Fired) &&
					Here->GetAgeOfWorldTime(Fired, Age),
				"the flight time is known");
			Compare(Age, Truth - World);
			Expect(Here->GetAgeOfWorldTime(World, Age), "the age of a world time is known");
			Compare(Age, Truth - World);
			Expect(Here->GetAgeOfServerTime(Ticks, Age), "the age of a server time is known");
			Compare(Age, Now - static_cast<double>(Ticks) * 1e-7);
			Expect(There->GetWorldTimeAt(ENetClockWorldClock::World, Ticks, Then), "it remembers");
			ExpectNear(Then, World, 0.002, "world time at a past server time");
			Expect(Here->GetServerTimeOfWorldTime(ENetClockWorldClock::World, Then, Back), "and back");
		}
		Expect(Shots.size() > 300 && WorstMs < 3, "the shots agree to within 3 ms", WorstMs);
	}
}
