// A failed check prints a message, and the program then exits with status 1.
#pragma once

#include <cstdio>

#include "Session.h"

namespace Report
{
	inline int Failures = 0;
	inline std::string Scenario;

	template <class... T> void Expect(bool bKept, std::string What, T... Seen)
	{
		if (bKept) { return; }
		++Failures;
		((What += " (" + std::to_string(Seen) + ")"), ...);
		std::printf("FAILED %s: %s\n", Scenario.c_str(), What.c_str());
	}

	inline void ExpectIn(double Seen, double Least, double Most, const std::string& What)
	{
		Expect(Seen >= Least && Seen <= Most, What, Seen, Least, Most);
	}

	inline void ExpectNear(double Seen, double Wanted, double Within, const std::string& What)
	{
		ExpectIn(Seen, Wanted - Within, Wanted + Within, What);
	}

	inline void ExpectNone(int64 Count, const std::string& Whats, const std::string& Who = "")
	{
		Expect(Count == 0, Who + std::to_string(Count) + " " + Whats);
	}

	/** These promises hold in every scenario without a reported jump. */
	inline void Promises(const FPeer& Peer)
	{
		const FJudged& Seen = Peer.Judged;
		const std::string Who = "client " + std::to_string(Peer.Number) + ": ";
		Expect(Seen.Frames > 100, Who + "frames with a known world time", Seen.Frames);
		ExpectNone(Seen.OutsideBound, "frames outside the bound of the world time", Who);
		ExpectNone(Seen.OutsideRealBound, "frames outside the bound of the real time", Who);
		ExpectNone(Seen.Backwards - Seen.EarlySteps, "frames backwards", Who);
		ExpectNone(Seen.Unequal, "reads differ within a frame", Who);
		ExpectNone(Peer.Crowded, "unreliable calls after another one in their frame", Who);
		ExpectNone(Peer.LateReliable, "reliable calls while synced", Who);
		ExpectNone(Peer.Overflows, "connections closed by too many reliable calls", Who);
	}

	inline std::string NameOf(const char* Table, const FSession& Session, const FPeer& Peer)
	{
		char Name[96];
		std::snprintf(Name, sizeof Name, "%s, %.3g/%.3g fps, %.0f/%.0f ms", Table, Peer.Machine.Settings.Fps,
			Session.Server->Settings.Fps, Peer.Link.Up.LagMs, Peer.Link.Up.JitterMs);
		return Name;
	}

	inline void Row(const std::string& Name, const FPeer& Peer)
	{
		const FJudged& Seen = Peer.Judged;
		std::printf("%-43s %7.1f %7.1f %7.3f %7.3f %7.2f %7.2f\n", Name.c_str(), Seen.Engine.Quantile(0.5),
			Seen.Engine.Quantile(0.99), Seen.NetClock.Quantile(0.5), Seen.NetClock.Quantile(0.99),
			Seen.LargestBoundMs, Seen.SyncedAfter);
	}

	inline void Head()
	{
		std::printf("%-43s %15s %15s %7s %7s\n", "errors of the world time in ms,", "engine's own",
			"NetClock", "largest", "synced");
		std::printf("%-43s %7s %7s %7s %7s %7s %7s\n", "starting 10 s after joining", "p50", "p99", "p50",
			"p99", "bound", "after s");
	}
}

using Report::Expect;
using Report::ExpectIn;
using Report::ExpectNear;
using Report::ExpectNone;
using Report::Promises;
