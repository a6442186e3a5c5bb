// A project's settings: each has the stated effect, and no value that is out of range is used.
#include "NetClock/Clock/NetClockSettings.h"
#include "NetClock/Game/NetClockGameSettings.h"
#include "NetClock/Link/NetClockLinkSettings.h"
#include "Scenarios.h"

namespace Scenarios
{
	/** Writes settings as DefaultGame.ini has them. */
	static void Write(const std::string& Lines)
	{
		FDouble::LoadIni("[/Script/NetClock.NetClockSettings]\n" + Lines + "\n");
	}

	/** A client and its server, with these lines in the ini. */
	struct FPlayed
	{
		FPlayed(uint64 Seed, const std::string& Lines, FLink Link) :
			Session(At(60, 10, 5000), NM_DedicatedServer, Seed)
		{
			Write(Lines);
			Peer = &Session.Join(At(60, -15, 300), Link);
		}
		~FPlayed() { FDouble::LoadIni(""); }
		double OffMs() const
		{
			const double At = Peer->Machine.TickStart;
			return static_cast<double>(Peer->Clock()->GetServerTimeTicks()) * 1e-4 -
				Session.Server->Clock.At(At) * 1000;
		}
		FSession Session;
		FPeer* Peer = nullptr;
	};

	static FLink Steady() { return Link(25, 4, 0.01, 0); }

	static void ProbeRate(uint64 Seed)
	{
		for (const double Rate : {2.0, 16.0})
		{
			FPlayed Played(Seed, "ProbesPerSecond=" + std::to_string(Rate), Steady());
			Played.Session.Run(10);
			const int32 Before = Played.Peer->CallsUp;
			Played.Session.Run(10);
			const double Seen = (Played.Peer->CallsUp - Before) / 10.0;
			ExpectNear(Seen, Rate, Rate * 0.3, "probes a second");
		}
	}

	static void TargetBound(uint64 Seed)
	{
		for (const bool bTight : {true, false})
		{
			FPlayed Played(Seed + 1, bTight ? "TargetBoundMs=5" : "TargetBoundMs=200", Steady());
			int32 Told = 0;
			Played.Peer->Clock()->OnDegraded.AddLambda([&Told](ENetClockDegradation Why)
				{ Told += Why == ENetClockDegradation::BoundAboveTarget ? 1 : 0; });
			Played.Session.Run(5);
			Expect((Told > 0) == bTight, "degradation reported for a wide bound", Told);
		}
	}

	/** The way down is 275 ms longer for two seconds, so the clock has about 137 ms to make up. Returns what
	 * is left after one more second. */
	static double LeftMs(uint64 Seed, const std::string& Lines, bool& bJumped)
	{
		FLink Uneven = Link(25, 1, 0, 0);
		Uneven.Down.LagMs = 300;
		FPlayed Played(Seed, Lines, Uneven);
		bJumped = false;
		Played.Session.Run(2);
		Played.Peer->Link.Down.LagMs = 25;
		Played.Session.Run(1);
		for (const ENetClockCause Cause : Played.Peer->Judged.Causes)
		{
			bJumped = bJumped || Cause == ENetClockCause::Correction;
		}
		return FMath::Abs(Played.OffMs());
	}

	static void Corrections(uint64 Seed)
	{
		bool bJumped = false;
		const double Usual = LeftMs(Seed + 2, "", bJumped);
		Expect(!bJumped && Usual > 60 && Usual < 120, "5 % by default: left", Usual);
		const double Fast = LeftMs(Seed + 2, "MaxSlewPercent=40", bJumped);
		Expect(!bJumped && Fast < 20, "40 %: left", Fast);
		const double Slow = LeftMs(Seed + 2, "MaxSlewPercent=0.5", bJumped);
		Expect(!bJumped && Slow > Usual + 20, "0.5 %: left", Slow);
		const double Stepped = LeftMs(Seed + 2, "StepThresholdMs=50", bJumped);
		Expect(bJumped && Stepped < 20, "a jump above 50 ms: left", Stepped);
	}

	static void Drift(uint64 Seed)
	{
		double Grown[2] = {};
		for (const bool bWide : {false, true})
		{
			FPlayed Played(Seed + 3, bWide ? "MaxDriftPpm=1000" : "", Steady());
			Played.Session.Run(5);
			const double Before = Played.Peer->Clock()->GetStatus().ErrorBoundMs;
			Played.Peer->Link.Down.Loss = 1;
			Played.Session.Run(10);
			Grown[bWide] = Played.Peer->Clock()->GetStatus().ErrorBoundMs - Before;
			Promises(*Played.Peer);
		}
		Expect(Grown[1] > Grown[0] * 5, "ms more without replies", Grown[0], Grown[1]);
	}

	static void Budget(uint64 Seed)
	{
		FPlayed Played(Seed + 4, "AnswersPerSecondAndPlayer=4\nAnswersInARow=20", Steady());
		Played.Session.Run(10);
		const int32 Answered = Played.Peer->CallsDown;
		ExpectIn(Answered, 40, 20 + 10 * 4 + 1, "answers in 10 s");
		Expect(Played.Peer->ServerComponent()->GetCounts().Dropped > 20, "the others were dropped");
		Promises(*Played.Peer);
	}

	static void Attach(uint64 Seed)
	{
		for (const bool bOwn : {false, true})
		{
			FPlayed Played(Seed + 5, "bAttachToEveryPlayer=False", Steady());
			if (bOwn) { Played.Session.ControllerClass = AClockController::StaticClass(); }
			Played.Session.Run(5);
			Expect((Played.Peer->ServerComponent() != nullptr) == bOwn, "players get a component");
			Expect(
				Played.Peer->Clock()->IsSynced() == bOwn, "a component of one's own is served all the same");
		}
	}

	static void WorldTime(uint64 Seed)
	{
		FPlayed Played(Seed + 6, "bOverrideWorldTime=False", Steady());
		Played.Session.Run(5);
		const UNetClockSubsystem* Clock = Played.Peer->Clock();
		Expect(Clock->IsSynced() && !Clock->IsWorldTimeKnown(), "the engine's own, though synced");
		Expect(Clock->GetWorldTimeErrorBoundMs() >= NetClock::UnknownMs, "with no promise");
		Write("bOverrideWorldTime=True");
		Played.Session.Run(1);
		Expect(Clock->IsWorldTimeKnown(), "taken up at once");
	}

	/** The server runs its world four times as fast, and clients learn it later. */
	static void FastForward(uint64 Seed)
	{
		for (const bool bTold : {true, false})
		{
			FPlayed Played(Seed + 7, bTold ? "MaxUnannouncedDilation=4" : "", Steady());
			Played.Session.Run(3);
			for (const float Dilation : {4.0f, 1.0f, 4.0f, 1.0f})
			{
				Played.Session.Server->World->Settings->TimeDilation = Dilation;
				Played.Session.Run(2);
			}
			const int32 Outside = Played.Peer->Judged.OutsideBound;
			Expect(bTold ? Outside == 0 : Outside > 0, "frames outside the bound of the world time", Outside);
		}
	}

	/** Each number on a page is clamped to the limits that the editor shows, and this is logged once. Returns
	 * how many numbers there are. */
	template <class T> static int32 OutOfRange(const std::string& Section)
	{
		int32 Numbers = 0;
		for (const FDoubleProperty& Property : T::StaticClass()->Properties)
		{
			if (!Property.Parse || !*Property.ClampMin) { continue; }
			++Numbers;
			const std::string Name = Property.Name;
			for (const std::string Bad : {"-1e9", "1e9", "nan"})
			{
				// An integer has no exponent, and is always a number.
				const bool bWhole = Name == "AnswersInARow" || Name == "LinkPort" || Name == "LinkPortCount";
				const std::string Given = bWhole ? (Bad == "1e9" ? "1000000" : "-5") : Bad;
				FDouble::LoadIni("[/Script/" + Section + "]\n" + Name + "=" + Given + "\n");
				const int32 Warnings = FDouble::State.Warnings;
				const T* Settings = &T::Get();
				T::Get();
				Expect(FDouble::State.Warnings == Warnings + 1, Name + "=" + Bad + " is logged once");
				std::unique_ptr<UObject> Limit(T::StaticClass()->Make());
				Property.Parse(Limit.get(), Bad == "1e9" ? Property.ClampMax : Property.ClampMin);
				Expect(Property.Equal(Settings, Limit.get()),
					Name + "=" + Bad + " is not brought to the limit of the page");
			}
		}
		FDouble::LoadIni("");
		const int32 Warnings = FDouble::State.Warnings;
		Expect(T::Get().GetCategoryName() == FName(TEXT("Plugins")), "the page is among those of plugins");
		Expect(FDouble::State.Warnings == Warnings, "all numbers are in range by default");
		return Numbers;
	}

	SCENARIO(Settings, Tools)
	{
		const uint64 Own = Seed + 30;
		for (const auto Part : {ProbeRate, TargetBound, Corrections, Drift, Budget, Attach, WorldTime, FastForward})
		{
			FDouble::CollectAll();
			Part(Own);
		}
		Expect(OutOfRange<UNetClockSettings>("NetClock.NetClockSettings") == 8, "eight numbers of the clock");
		Expect(OutOfRange<UNetClockGameSettings>("NetClockGame.NetClockGameSettings") == 4, "four of games");
		Expect(OutOfRange<UNetClockLinkSettings>("NetClockLink.NetClockLinkSettings") == 4, "four of the link");
	}
}
