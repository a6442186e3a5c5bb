// Compares the clock's counters in `stat`, the CSV profiler and Unreal Insights during a game.
#include "Double/Counters.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** All three tools must show the same number. */
	static void Shown(const char* Stat, const char* Csv, double Value, double Within)
	{
		const auto& Counters = FDouble::Counters();
		for (const std::string& Key : {std::string("stat STAT_NetClock") + Stat,
				 std::string("csv NetClock/") + Csv, std::string("trace NetClock") + Stat})
		{
			const auto Found = Counters.find(Key);
			const bool bRight = Found != Counters.end() && FMath::Abs(Found->second - Value) <= Within;
			Expect(bRight,
				Key + " is " + (Found == Counters.end() ? "not there" : std::to_string(Found->second)) +
					", not " + std::to_string(Value));
		}
	}

	SCENARIO(Counters, Tools)
	{
		FDouble::CollectAll();
		FSession Session(At(60, 10, 5000), NM_DedicatedServer, Seed + 50);
		FPeer& Peer = Session.Add(At(), Link(25, 4, 0.02, 0.05));
		for (auto& Counter : FDouble::Counters()) { Counter.second = 0; }
		Session.Connect(Peer);
		int32 Frames = 0;
		FNetClockExchangeCounts Before;
		Peer.Machine.AlsoAtEnd([&]()
		{
			const FNetClockStatus Status = Peer.Clock()->GetStatus();
			const FNetClockExchangeCounts Counts =
				Peer.Component() ? Peer.Component()->GetCounts() : FNetClockExchangeCounts();
			const bool bKnown = Status.bIsSynced;
			Shown("Synced", "Synced", bKnown ? 1 : 0, 0);
			Shown("ErrorBound", "ErrorBoundMs", bKnown ? Status.ErrorBoundMs : 0, 1e-4);
			Shown("ExpectedError", "ExpectedErrorMs", bKnown ? Status.ExpectedErrorMs : 0, 1e-4);
			Shown("RoundTrip", "RoundTripMs", bKnown ? Status.RoundTripMs : 0, 1e-4);
			Shown("Frequency", "FrequencyPpm", Status.FrequencyPpm, 1e-4);
			Shown("ProbesSent", "ProbesSent", static_cast<double>(Counts.Sent), 0);
			Shown("RepliesRefused", "RepliesRefused", static_cast<double>(Counts.Refused), 0);
			++Frames;
		});
		Session.Server->AlsoAtEnd([&]()
		{
			if (Peer.ServerComponent())
			{
				const FNetClockExchangeCounts Now = Peer.ServerComponent()->GetCounts();
				Shown("Answered", "ProbesAnswered", static_cast<double>(Now.Answered - Before.Answered), 0);
				Shown("Dropped", "ProbesDropped", static_cast<double>(Now.Dropped - Before.Dropped), 0);
				Before = Now;
			}
		});
		Session.Run(5);
		// Sends a meaningless reply, and more requests in one frame than the server answers.
		for (int32 Index = 0; Index < 200; ++Index)
		{
			Session.Forge(Peer, Peer.ServerComponent(), Probe(0, 0));
		}
		Peer.Machine.Enter();
		Peer.Component()->ClientBytes_Implementation({1, 2, 3});
		Session.Run(2);
		Expect(Frames > 300 && Before.Answered > 45 && Before.Dropped > 20, "replies and drops are counted");
		Expect(Peer.Component()->GetCounts().Sent > 45 && Peer.Component()->GetCounts().Refused > 0,
			"replies are counted on the client");
	}
}
